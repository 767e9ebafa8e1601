import { useEffect, useRef, useState } from 'preact/hooks';
import { useEventSchema } from '../catalogue.js';
import { domainOf, DomainChip } from '../domains.js';
import { dateAndTime } from '../instants.js';
import { viewRoute } from '../view-route.js';
import { indexOf } from '../stream/recent-events.js';
import { customerName, nameOf, occurrenceOf, type StreamEvent } from '../stream/stream-event.js';
import { shortOutcome } from '../event/outcomes.js';
import type { ConsumerOutcome } from '../../outcomes.js';
import { consumers } from '../consumers/consumers-state.js';
import { query } from '../query.js';
import { fetchJson } from '../requests.js';
import { follow, held, hold, liveFeed, openEvent } from './live-feed.js';
import { summaryOf } from './summary.js';

/** Rows to draw beyond the visible ones, for smooth scrolling. */
const margin = 6;

/** The list of events, the newest first. Only visible rows exist, so the event rate does not matter. */
export function EventList() {
  const list = useRef<HTMLDivElement>(null);
  const [seen, setSeen] = useState({ top: 0, height: 0, row: 32 });
  const feed = liveFeed.value;
  feed.follow();
  const still = held.value;
  const { event: open } = viewRoute.value;
  const events = still?.events ?? feed.kept.list;
  const size = events.length;

  useEffect(() => {
    const element = list.current;
    if (element === null) return;
    const measure = () => {
      const row = Number.parseFloat(getComputedStyle(element).getPropertyValue('--row')) || 32;
      setSeen({ top: element.scrollTop, height: element.clientHeight, row });
    };
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    return () => observer.disconnect();
  }, []);

  // Resuming the list scrolls to the top.
  useEffect(() => {
    if (still === undefined && list.current !== null) list.current.scrollTop = 0;
  }, [still]);

  useEffect(() => {
    if (list.current === null) return;
    if (open === undefined) {
      if (isAtTop(list.current)) follow();
      return;
    }
    const index = size - 1 - indexOf(events, open);
    if (index === size) return;
    const { row } = seen;
    const { scrollTop, clientHeight } = list.current;
    if (index * row < scrollTop) list.current.scrollTop = index * row;
    else if ((index + 1) * row > scrollTop + clientHeight) {
      list.current.scrollTop = (index + 1) * row - clientHeight;
    }
  }, [open]);

  const isAtTop = ({ scrollTop }: HTMLElement) => scrollTop <= seen.row / 2;
  const scrolled = () => {
    const element = list.current;
    if (element === null) return;
    const { scrollTop } = element;
    if (isAtTop(element)) follow();
    else hold(false);
    setSeen((before) => ({ ...before, top: scrollTop }));
  };

  const first = Math.max(0, Math.floor(seen.top / seen.row) - margin);
  const last = Math.min(size, Math.ceil((seen.top + seen.height) / seen.row) + margin);
  const rows = [];
  const shown: StreamEvent[] = [];
  for (let index = first; index < last; index++) {
    const event = events[size - 1 - index];
    // A row's key is its position on the screen: new events change text, not elements.
    if (event !== undefined) {
      const newer = events[size - index];
      shown.push(event);
      rows.push(
        <Row
          key={index % (last - first)}
          event={event}
          top={index * seen.row}
          isOpen={event.number === open}
          nth={index + 1}
          size={size}
          isSame={newer !== undefined && occurrenceOf(newer) === occurrenceOf(event)}
        />,
      );
    }
  }

  asked = shown;
  useEffect(outcomes.watch, []);
  return (
    <div class="list-frame">
      <div
        class="list"
        ref={list}
        onScroll={scrolled}
        tabIndex={0}
        role="listbox"
        aria-label="Events, newest first"
        data-testid="events"
        {...(open === undefined ? {} : { 'aria-activedescendant': `event-${open}` })}
      >
        <div role="presentation" class="list-space" style={{ height: `${size * seen.row}px` }}>
          {rows}
        </div>
      </div>
    </div>
  );
}

function Row({
  event,
  top,
  isOpen,
  nth,
  size,
  isSame,
}: {
  readonly event: StreamEvent;
  readonly top: number;
  readonly isOpen: boolean;
  /** Position in the list, from 1, and length of the list. */
  readonly nth: number;
  readonly size: number;
  /** Whether the row above has the same occurrence. */
  readonly isSame: boolean;
}) {
  const schema = useEventSchema(nameOf(event));
  const { about, headers, key, number } = event;
  const treated = outcomes.loaded.value.value?.[headers['event-id'] ?? ''] ?? [];
  const { type, version, instance, faults } = about;
  const domain = domainOf(type);
  const end = type.startsWith(`${domain}.`) ? domain.length + 1 : 0;
  return (
    <div
      role="option"
      id={`event-${number}`}
      aria-selected={isOpen}
      aria-posinset={nth}
      aria-setsize={size}
      class={`row${isOpen ? ' open' : ''}${isSame ? ' same' : ''}`}
      style={{ transform: `translateY(${top}px)` }}
      onClick={() => openEvent(number)}
    >
      <span class="row-time mono quiet">{dateAndTime(about.sentAt ?? about.at)}</span>
      <span class="row-name">
        <span class="row-type" title={type}>
          {end > 0 && <DomainChip domain={domain} />}
          <span class="faint">{end > 0 && '.'}</span>
          {type.slice(end)}
        </span>
        <span class="version">{version}</span>
      </span>
      <span class="row-about">
        {treated
          .flatMap((each) => shortOutcome(each) ?? [])
          .map((outcome) => (
            <span key={outcome} class={`outcome-mark${outcome.startsWith('✕') ? ' bad' : ''}`}>
              {outcome}
            </span>
          ))}
        {summaryOf(event, schema)}
      </span>
      <span class="row-faults">{faults.length > 0 && <span class="fault">{faults.join(', ')}</span>}</span>
      <span class="row-key mono quiet">{key}</span>
      <span class="row-process quiet">
        {customerName(about.cell).toLowerCase()} <span class="faint">{instance.replace(/#1$/, '')}</span>
      </span>
    </div>
  );
}

/** The visible events. */
let asked: readonly StreamEvent[] = [];

/** The treatment of the visible events by each consumer, requested each second while there are consumers. */
const outcomes = query<Readonly<Record<string, readonly ConsumerOutcome[]>>>(() => {
  const { groups = [], stream = [] } = consumers.loaded.peek().value ?? {};
  const ids = asked.flatMap(({ headers }) => headers['event-id'] ?? []);
  if (groups.length + stream.length === 0 || ids.length === 0) return undefined;
  const search = new URLSearchParams(ids.slice(0, 100).map((id) => ['event', id]));
  return fetchJson(`/dashboard/outcomes?${search.toString()}`);
});
