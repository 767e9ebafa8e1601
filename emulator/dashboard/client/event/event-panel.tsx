import { useLayoutEffect, useMemo, useRef } from 'preact/hooks';
import { catalogue, useEventSchema } from '../catalogue.js';
import { domainOf, DomainDot, TypeName } from '../domains.js';
import { dateAndTime, span } from '../instants.js';
import { resend } from '../compose/draft.js';
import { go, viewRoute, worldOf } from '../view-route.js';
import { EmptyState } from '../shell/empty-state.js';
import type { Feed } from '../stream/feed.js';
import { indexOf } from '../stream/recent-events.js';
import {
  accountsOf,
  customerName,
  nameOf,
  occurrenceOf,
  payloadOf,
  readEnvelope,
  type StreamEvent,
} from '../stream/stream-event.js';
import { Copies } from './copies.js';
import { Outcomes } from './outcomes.js';
import { PayloadTree } from './payload-tree.js';
import { useVerdict, Validity } from './validity.js';
import { Comparison, pinned, Versions } from './versions.js';
import './event.css';

/** The details of one event. `event` is undefined if the dashboard does not have it. */
export function EventPanel({
  number,
  event,
  feed,
}: {
  readonly number: number;
  readonly event: StreamEvent | undefined;
  readonly feed: Feed;
}) {
  const panel = useRef<HTMLElement>(null);
  useLayoutEffect(() => {
    const before = document.activeElement;
    return () => {
      const { body, activeElement } = document;
      const isLost = activeElement === body || panel.current?.contains(activeElement) === true;
      if (isLost && before instanceof HTMLElement) before.focus({ preventScroll: true });
    };
  }, []);
  return (
    <aside ref={panel} class="panel" aria-label="Event" data-testid="event">
      <PanelBar number={number} event={event} />
      {event === undefined ? (
        <EmptyState title={`Event ${number} is not available`}>
          The dashboard has dropped it, the filter excludes it, or the emulator has not sent it yet.
        </EmptyState>
      ) : (
        <EventDetails key={number} event={event} feed={feed} />
      )}
    </aside>
  );
}

function EventDetails({ event, feed }: { readonly event: StreamEvent; readonly feed: Feed }) {
  const { about } = event;
  const name = nameOf(event);
  const schema = useEventSchema(name);
  const read = readEnvelope(event);
  const payload = useMemo(() => payloadOf(event), [event]);
  const verdict = useVerdict(about, payload);
  return (
    <>
      <header class="event-head">
        <h2>
          <DomainDot domain={domainOf(about.type)} />
          <TypeName type={about.type} /> <span class="version">{about.version}</span>
        </h2>
        <p class="quiet">
          {catalogue.value.has(name) ? schema?.description : 'The catalogue does not have this event.'}
        </p>
      </header>
      <Process event={event} />
      <Outcomes event={event} />
      <Validity verdict={payload === undefined ? 'The payload is unreadable.' : verdict} />
      {'problem' in read ? (
        <section>
          <h3>Value</h3>
          <p>{read.problem}</p>
          <pre class="raw" tabIndex={0}>
            {event.line.slice(0, 5_000)}
          </pre>
        </section>
      ) : (
        <section>
          <h3>Payload</h3>
          <PayloadTree value={payload} schema={schema} />
        </section>
      )}
      <Comparison event={event} />
      <Versions event={event} others={versionsOf(event, feed)} />
      <Copies event={event} />
      <Envelope event={event} />
    </>
  );
}

function PanelBar({ number, event }: { readonly number: number; readonly event: StreamEvent | undefined }) {
  const account = event && accountsOf(event)[0];
  return (
    <div class="toolbar panel-bar">
      <span class="quiet">Event {number}</span>
      {event !== undefined && (
        <>
          {viewRoute.value.view !== 'journeys' && (
            <button type="button" onClick={() => go({ view: 'journeys', customer: event.about.cell })}>
              Journey <kbd aria-hidden="true">j</kbd>
            </button>
          )}
          {account !== undefined && (
            <button type="button" onClick={() => go(worldOf(account, event))}>
              Account <kbd aria-hidden="true">w</kbd>
            </button>
          )}
          <button
            type="button"
            aria-pressed={pinned.value === event}
            onClick={() => (pinned.value = pinned.value === event ? undefined : event)}
          >
            Compare
          </button>
          <button type="button" onClick={() => resend(event)}>
            Resend <kbd aria-hidden="true">e</kbd>
          </button>
        </>
      )}
      <button type="button" onClick={() => go({ event: undefined })}>
        Close <kbd aria-hidden="true">Esc</kbd>
      </button>
    </div>
  );
}

/** The times, the instance, the branches and the faults of an event. */
function Process({ event }: { readonly event: StreamEvent }) {
  const { at, sentAt, cell, instance, step, faults, branches = {}, type } = event.about;
  return (
    <section>
      <dl class="facts">
        <dt>Occurred</dt>
        <dd class="mono">
          {dateAndTime(at)} <span class="faint">UTC, virtual</span>
        </dd>
        {sentAt !== undefined && (
          <>
            <dt>Sent</dt>
            <dd class="mono">
              {dateAndTime(sentAt)} <span class="faint">{span(sentAt - at)} late</span>
            </dd>
          </>
        )}
        <dt>Process</dt>
        <dd>
          <span class="mono">{instance}</span>{' '}
          <span class="faint">of {customerName(cell).toLowerCase()}</span>
          {step !== type && <span class="faint"> · step {step}</span>}
        </dd>
        {Object.keys(branches).length > 0 && (
          <>
            <dt>Branches</dt>
            <dd class="decisions">
              {Object.entries(branches).map(([branch, outcome]) => (
                <span class="decision" key={branch}>
                  {branch} <b>{outcome}</b>
                </span>
              ))}
            </dd>
          </>
        )}
        {faults.length > 0 && (
          <>
            <dt>Faults</dt>
            <dd>
              {faults.map((fault, index) => (
                <span class="fault" key={index}>
                  {fault}
                </span>
              ))}
            </dd>
          </>
        )}
      </dl>
    </section>
  );
}

function Envelope({ event }: { readonly event: StreamEvent }) {
  const { key, headers, timestamp, line } = event;
  const read = readEnvelope(event);
  const envelope = 'envelope' in read ? read.envelope : undefined;
  const members =
    typeof envelope === 'object' && envelope !== null
      ? Object.entries(envelope).filter(([name]) => name !== 'payload')
      : [];
  const rows: [string, string][] = [
    ...members.map(([name, value]): [string, string] => [name, text(value)]),
    ['key', key ?? 'none'],
    ...Object.entries(headers),
    ['sent, wall clock', new Date(timestamp).toISOString()],
    ['size', `${new Blob([line]).size} bytes`],
  ];
  return (
    <section>
      <h3>Envelope and headers</h3>
      <dl class="facts">
        {rows.map(([name, value], index) => (
          <div key={index} class="fact">
            <dt>{name}</dt>
            <dd class="mono">{value.slice(0, 500)}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}

function text(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** Returns the other versions of the same occurrence, among the neighbouring events. */
function versionsOf(event: StreamEvent, { kept }: Feed): StreamEvent[] {
  const occurrence = occurrenceOf(event);
  const index = indexOf(kept.list, event.number);
  return kept.list
    .slice(Math.max(0, index - 16), index + 17)
    .filter((other) => occurrenceOf(other) === occurrence && other.about.version !== event.about.version);
}
