import { useRef, useState } from 'preact/hooks';
import { EventPanel } from '../event/event-panel.js';
import { DomainDot, TypeName } from '../domains.js';
import { count, counted, day, span, time } from '../instants.js';
import { Link } from '../shell/link.js';
import type { CellTimeline } from '../../../run/cell-timeline.js';
import type { Fork } from '../../what-if.js';
import { useQuery } from '../query.js';
import { go, viewRoute, worldOf } from '../view-route.js';
import { EmptyState, NotConnected } from '../shell/empty-state.js';
import type { Feed } from '../stream/feed.js';
import { eventIn } from '../stream/recent-events.js';
import { goneThrough } from '../stream/main-feed.js';
import { customerName, supplyPointOf } from '../stream/stream-event.js';
import { type Moment, momentsOf } from './moments.js';
import { barsOf } from './processes.js';
import { Waterfall } from './waterfall.js';
import { NoWhatIf, WhatIf } from './what-if.js';

/** Most events to draw; the latest. */
const maxMoments = 300;

/** The past and expected events of one customer, in virtual time. */
export function Journey({ customer, feed }: { readonly customer: number; readonly feed: Feed }) {
  const list = useRef<HTMLOListElement>(null);
  const name = customerName(customer);
  feed.follow();
  const events = feed.kept.list;
  const ended = feed.state.value === 'ended';
  const { value: timeline } = useQuery<CellTimeline>(`/dashboard/course/${customer}`, {
    // An unknown customer becomes known with the first event.
    inputs: [events.length > 0],
  });
  const { event: number, instead, filter } = viewRoute.value;
  const { from = 0, to = Infinity } = filter;
  const reached = ended ? (timeline?.now ?? 0) : (feed.now ?? 0);
  const all = momentsOf(events, timeline, reached, goneThrough(feed)).filter(
    ({ at }) => at >= from && at < to,
  );
  const moments = all.slice(-maxMoments);
  const instances = new Set(timeline?.steps.map(({ instance }) => instance)).size;
  const { value: forks } = useQuery<readonly Fork[]>(`/dashboard/forks/${customer}`, {
    period: 'once',
    inputs: [instances],
  });
  const fork = forks?.find(
    ({ instance, branch, others }) =>
      instance === instead?.instance && branch === instead.branch && others.includes(instead.outcome),
  );
  const branches = moments.find(({ instance }) => instance === instead?.instance)?.branches ?? {};
  const now = Math.max(feed.now ?? 0, timeline?.now ?? 0);
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
      <section class="pane journey" aria-label={`Journey of ${name.toLowerCase()}`}>
        <header class="section-head">
          <div>
            <h2>{name}</h2>
            <p class="links">
              {accounts.slice(0, 4).map((account) => (
                <Link key={account} class="mono" to={worldOf(account, undefined)}>
                  {account}
                </Link>
              ))}
            </p>
          </div>
          <button
            type="button"
            onClick={() => go({ customer: undefined, instead: undefined, event: undefined })}
          >
            All customers
          </button>
        </header>
        {moments.length === 0 && feed.state.value === 'lost' ? (
          <NotConnected />
        ) : moments.length === 0 ? (
          <EmptyState title={`No events of this customer ${to < Infinity ? 'in this span of time' : 'yet'}`}>
            Events appear here when the emulator sends them. Choose another customer, or wait.
          </EmptyState>
        ) : (
          <>
            <Waterfall
              label="Processes in virtual time"
              bars={barsOf(all, moments, forks ?? [])}
              now={now}
              open={open?.id}
              choose={choose}
            />
            {instead !== undefined && fork !== undefined && (
              <WhatIf
                key={instead.branch + instead.outcome}
                customer={customer}
                fork={fork}
                instead={instead}
                branches={branches}
              />
            )}
            {instead !== undefined && forks !== undefined && fork === undefined && (
              <NoWhatIf instead={instead} />
            )}
            {all.length > moments.length && (
              <p class="quiet">
                The last {count(moments.length)} of {counted(all.length, 'event')}. Drag on the time line to
                see others.
              </p>
            )}
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
      {number !== undefined && <EventPanel number={number} event={eventIn(events, number)} feed={feed} />}
    </div>
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
  const { id, at, type, domain, state, versions, faults, late, events } = moment;
  const [event] = events;
  // Tells apart events of one type.
  const supplyPoint = event && supplyPointOf(event);
  const isNewDay = before === undefined || day(before.at) !== day(at);
  const copies = events.length - new Set(events.map(({ about }) => about.version)).size;
  const row = `moment-row${isOpen ? ' open' : ''}`;
  const text = (
    <>
      <span class="mono quiet">{time(at).slice(0, 8)}</span>
      <span class="moment-type">
        <DomainDot domain={domain} /> <TypeName type={type} />{' '}
        {versions.map((version) => [<span class="version">{version}</span>, ' '])}
        {supplyPoint !== undefined && <span class="quiet mono">{supplyPoint}</span>}
      </span>
      <span class="moment-marks">
        {state === 'expected' && <span class="mark">expected</span>}
        {state === 'missing' && <span class="fault">not sent</span>}
        {state === 'gone' && <span class="mark">no longer kept</span>}
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
    <li class={`moment ${state}`} data-moment={id}>
      {isNewDay && (
        <h3 class="day">
          {day(at)}
          {before !== undefined && <span class="faint"> {span(at - before.at)} later</span>}
        </h3>
      )}
      {events.length > 0 ? (
        <button type="button" class={row} aria-pressed={isOpen} onClick={() => choose(moment)}>
          {text}
        </button>
      ) : (
        <div class={row}>{text}</div>
      )}
    </li>
  );
}
