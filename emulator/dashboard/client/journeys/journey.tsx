import { useRef, useState } from 'preact/hooks';
import { Decisions, EventPanel } from '../event/event-panel.js';
import { TypeName } from '../domains.js';
import { count, day, span, time } from '../instants.js';
import { Link } from '../shell/link.js';
import type { CellTimeline } from '../../../run/cell-timeline.js';
import { useQuery } from '../query.js';
import { visible } from '../visible.js';
import { go, viewRoute, worldOf } from '../view-route.js';
import { EmptyState } from '../shell/empty-state.js';
import type { Feed } from '../stream/feed.js';
import { LaneChart } from './lane-chart.js';
import { type Moment, momentsOf } from './moments.js';

/** The past and expected events of one customer, in virtual time. */
export function Journey({ customer, feed }: { readonly customer: number; readonly feed: Feed }) {
  const list = useRef<HTMLOListElement>(null);
  feed.follow();
  const events = feed.kept.snapshot();
  const ended = feed.state.value === 'ended';
  const { value: timeline } = useQuery<CellTimeline>(`/dashboard/course/${customer}`);
  const moments = momentsOf(events, timeline, ended ? (timeline?.now ?? 0) : (feed.now ?? 0));
  const now = Math.max(feed.now ?? 0, timeline?.now ?? 0);
  const { event: number } = viewRoute.value;
  const [chosen, setChosen] = useState<string | undefined>(undefined);
  const open =
    moments.find((moment) => moment.events.some((event) => event.number === number)) ??
    moments.find(({ id }) => id === chosen);
  const choose = (moment: Moment) => {
    const [first] = moment.events;
    setChosen(moment.id);
    if (first !== undefined) go({ event: first.number }, number === undefined ? 'push' : 'replace');
    list.current?.querySelector(`[data-moment="${moment.id}"]`)?.scrollIntoView({ block: 'nearest' });
  };
  const accounts = [...new Set(events.flatMap(({ key }) => (key?.startsWith('A-') ? [key] : [])))];
  return (
    <div class={number === undefined ? 'split' : 'split with-panel'}>
      <section class="pane journey" aria-label={`Journey of customer ${customer}`}>
        <header class="journey-head">
          <div>
            <h2>Customer {customer}</h2>
            <p class="accounts">
              {accounts.slice(0, 4).map((account) => (
                <Link key={account} class="mono" to={worldOf(account, undefined)}>
                  {account}
                </Link>
              ))}
            </p>
          </div>
          <button type="button" onClick={() => go({ customer: undefined, event: undefined })}>
            All customers
          </button>
        </header>
        <Processes moments={moments} />
        {moments.length === 0 ? (
          <EmptyState title="No events of this customer yet">
            Events appear here when the emulator sends them. Choose another customer, or wait.
          </EmptyState>
        ) : (
          <>
            <LaneChart moments={moments} now={now} open={open?.id} choose={choose} />
            <ol class="moments" ref={list} data-testid="moments">
              {moments.map((moment, index) => (
                <MomentRow
                  key={moment.id}
                  moment={moment}
                  before={moments[index - 1]}
                  isOpen={moment === open}
                  choose={choose}
                />
              ))}
            </ol>
          </>
        )}
      </section>
      {number !== undefined && <EventPanel number={number} event={feed.kept.find(number)} feed={feed} />}
    </div>
  );
}

/** The instances of the customer, with their progress and branches. */
function Processes({ moments }: { readonly moments: readonly Moment[] }) {
  const byInstance = new Map<string, Moment[]>();
  for (const moment of moments) {
    byInstance.set(moment.instance, [...(byInstance.get(moment.instance) ?? []), moment]);
  }
  return (
    <ul class="processes">
      {[...byInstance].map(([instance, own]) => {
        const missing = own.filter(({ state }) => state === 'missing').length;
        const ahead = own.filter(({ state }) => state === 'expected').length;
        return (
          <li key={instance}>
            <b class="mono">{instance}</b>{' '}
            <span class="quiet">
              {count(own.length - missing - ahead)} sent
              {ahead > 0 && `, ${count(ahead)} expected`}
              {missing > 0 && `, ${count(missing)} not sent`}
            </span>{' '}
            <Decisions branches={own[0]?.branches ?? {}} />
          </li>
        );
      })}
    </ul>
  );
}

function MomentRow({
  moment,
  before,
  isOpen,
  choose,
}: {
  readonly moment: Moment;
  readonly before: Moment | undefined;
  readonly isOpen: boolean;
  readonly choose: (moment: Moment) => void;
}) {
  const { id, at, type, subject, lane, state, versions, faults, late, events } = moment;
  const isNewDay = before === undefined || day(before.at) !== day(at);
  const copies = events.length - new Set(events.map(({ about }) => about.version)).size;
  const text = (
    <>
      <span class="moment-time mono">{time(at).slice(0, 8)}</span>
      <span class="moment-lane">{lane.name}</span>
      <span class="moment-type">
        <TypeName type={type} />{' '}
        {versions.map((version) => (
          <span class="version" key={version}>
            {version}
          </span>
        ))}
        {subject !== undefined && <span class="quiet mono">{visible(subject)}</span>}
      </span>
      <span class="moment-marks">
        {state === 'expected' && <span class="mark">expected</span>}
        {state === 'missing' && <span class="fault">not sent</span>}
        {copies > 0 && <span class="fault">sent {copies + 1} times</span>}
        {late > 0 && <span class="fault">{span(late)} late</span>}
        {faults
          .filter((fault) => fault !== 'duplicate' && fault !== 'delay' && fault !== 'reorder')
          .map((fault) => (
            <span class="fault" key={fault}>
              {fault}
            </span>
          ))}
      </span>
    </>
  );
  return (
    <li
      class={`moment ${state}${isOpen ? ' open' : ''}`}
      data-moment={id}
      style={{ '--hue': String(lane.hue) }}
    >
      {isNewDay && (
        <h3 class="day">
          {day(at)}
          {before !== undefined && <span class="faint"> {span(at - before.at)} later</span>}
        </h3>
      )}
      {events.length > 0 ? (
        <button type="button" class="moment-row" aria-pressed={isOpen} onClick={() => choose(moment)}>
          {text}
        </button>
      ) : (
        <div class="moment-row">{text}</div>
      )}
    </li>
  );
}
