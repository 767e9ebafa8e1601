import { useRef, useState } from 'preact/hooks';
import type { RunTimeline } from '../../run-timeline.js';
import { counted, dateAndTime, day } from '../instants.js';
import { useQuery } from '../query.js';
import { goneThrough, mainFeed } from '../stream/main-feed.js';
import { count } from '../stream/tally.js';
import { isOfBrowser } from '../shell/keyboard.js';
import { go, viewRoute } from '../view-route.js';
import { colourOf } from '../domains.js';
import { axisOf, type TimeSlice, type TimelineAxis } from './axis.js';
import './timeline.css';

/** Distance in pixels from which a press is a drag. */
const dragged = 4;

/** A span that is being chosen, or an instant where both are equal. */
interface Cursor {
  readonly anchor: number;
  readonly at: number;
}

/** The run in virtual time: its events by domain, faults, inputs and known future. Chooses a span or an instant. */
export function TimeLine() {
  // Each report of the run draws the events before it.
  const { value: run } = mainFeed.run;
  const bar = useRef<HTMLDivElement>(null);
  const pressed = useRef<number | undefined>(undefined);
  const said = useRef({ cursor: undefined as Cursor | undefined, labels: '', text: '' });
  const [cursor, setCursor] = useState<Cursor | undefined>(undefined);
  const { view, at, filter } = viewRoute.value;
  const now = Date.parse(run?.now ?? '') || 0;
  const number = run?.run;
  const { state, value: timeline } = useQuery<RunTimeline>('/dashboard/timeline');
  // A late page has not received the first events of the run.
  if (run === undefined || (state === 'loading' && timeline === undefined)) return <div class="timeline" />;
  const axis = axisOf(mainFeed.tally, timeline, now);
  const { from, to, step, slices } = axis;
  const percent = (instant: number) =>
    `${(100 * (Math.min(Math.max(instant, from), to) - from)) / (to - from)}%`;
  const { anchor, at: focused } = cursor ?? { anchor: at ?? now, at: at ?? now };
  if (number !== undefined && number > 1) slices[0]?.labels.unshift(`Run ${number} started`);
  const [begin, end] =
    anchor === focused ? [filter.from, filter.to] : [anchor, focused].sort((one, other) => one - other);

  const choose = ({ anchor: first, at: last }: Cursor) => {
    setCursor(undefined);
    const [low, high] = [Math.min(first, last), Math.max(first, last)];
    if (low === high) go({ view: 'world', at: high < now ? high : undefined, event: undefined });
    else {
      const shown = view === 'journeys' ? view : 'live';
      go({ view: shown, filter: { ...filter, from: low, to: high }, at: undefined, event: undefined });
    }
  };
  const showNow = () => {
    const { from: _, to: __, ...rest } = filter;
    go({ filter: rest, at: undefined });
  };
  const instantAt = ({ clientX }: MouseEvent) => {
    const { left, width } = bar.current?.getBoundingClientRect() ?? { left: 0, width: 1 };
    return Math.round(from + ((to - from) * Math.min(Math.max(clientX - left, 0), width)) / width);
  };
  const keyPressed = (event: KeyboardEvent) => {
    if (isOfBrowser(event)) return;
    const moved = {
      ArrowLeft: Math.max(from, focused - step),
      ArrowRight: Math.min(to, focused + step),
      Home: from,
      End: now,
    }[event.key];
    if (moved !== undefined) setCursor({ anchor: event.shiftKey ? anchor : moved, at: moved });
    else if (event.key === 'Enter') choose({ anchor, at: focused });
    else if (event.key === 'Escape' && cursor !== undefined) setCursor(undefined);
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  const slice = slices[Math.floor((focused - from) / step)] ?? slices.at(-1);
  const isNow = at === undefined && filter.from === undefined;
  const gone = goneThrough(mainFeed);
  // A screen reader would read each change aloud: the text changes with the cursor and with inputs, not with each event.
  const labels = slice?.labels.join() ?? '';
  if (cursor === undefined || said.current.cursor !== cursor || said.current.labels !== labels) {
    said.current = {
      cursor,
      labels,
      text: slice === undefined ? '' : describe(slice, focused, { now, gone }),
    };
  }
  const { text } = said.current;
  return (
    <div class="timeline" data-testid="timeline">
      <div
        ref={bar}
        class="timeline-bar"
        role="slider"
        tabIndex={0}
        aria-label="Time line"
        aria-describedby="timeline-help"
        aria-valuemin={from}
        aria-valuemax={to}
        aria-valuenow={focused}
        aria-valuetext={text}
        onKeyDown={keyPressed}
        onFocus={() => setCursor((each) => each ?? { anchor: focused, at: focused })}
        onBlur={() => setCursor(undefined)}
        onPointerDown={(event) => {
          if (event.button !== 0) return;
          pressed.current = event.clientX;
          event.currentTarget.setPointerCapture(event.pointerId);
          const first = instantAt(event);
          setCursor({ anchor: first, at: first });
        }}
        onPointerMove={(event) => {
          if (pressed.current === undefined) setCursor({ anchor: instantAt(event), at: instantAt(event) });
          else if (Math.abs(event.clientX - pressed.current) >= dragged) {
            setCursor({ anchor, at: instantAt(event) });
          }
        }}
        onPointerLeave={() => pressed.current === undefined && setCursor(undefined)}
        onPointerCancel={() => (pressed.current = undefined)}
        onPointerUp={() => {
          if (pressed.current === undefined) return;
          pressed.current = undefined;
          choose({ anchor, at: focused });
        }}
      >
        {gone > 0 && <span class="timeline-gone" style={{ right: `calc(100% - ${percent(gone)})` }} />}
        <Density axis={axis} />
        {begin !== undefined && end !== undefined && (
          <span
            class="timeline-span"
            style={{ left: percent(begin), right: `calc(100% - ${percent(end)})` }}
          />
        )}
        <span class="timeline-now" style={{ left: percent(now) }} />
        {!isNow && at !== undefined && <span class="timeline-at" style={{ left: percent(at) }} />}
        {cursor !== undefined && <span class="timeline-cursor" style={{ left: percent(focused) }} />}
      </div>
      <p class="timeline-text">
        <span data-testid="timeline-text">{cursor === undefined ? `${day(from)} to ${day(to)}` : text}</span>
        <span id="timeline-help" class="quiet wide-only">
          Drag to choose a span, click to see the world then.
        </span>
        <button type="button" disabled={isNow} onClick={showNow}>
          Now
        </button>
      </p>
    </div>
  );
}

/** Returns the text of a slice for people who do not see it. */
function describe(
  { events, ahead, faults, labels, byDomain }: TimeSlice,
  at: number,
  { now, gone }: { readonly now: number; readonly gone: number },
): string {
  const isAhead = at > now;
  const domains = [...byDomain].sort(([, one], [, other]) => other - one).slice(0, 3);
  return [
    dateAndTime(at).slice(0, 16),
    ...(isAhead ? [] : [events === 0 && at < gone ? 'events no longer kept' : counted(events, 'event')]),
    ...(events > 0 && !isAhead ? [domains.map(([domain]) => domain).join(', ')] : []),
    ...(ahead > 0 ? [counted(ahead, 'planned event')] : []),
    ...(faults > 0 ? [counted(faults, 'fault')] : []),
    ...labels.slice(0, 3),
  ].join(' · ');
}

const [width, height] = [1_000, 40];
/** Height of the marks of faults and inputs, at the bottom and at the top. */
const mark = 4;

/** The events of each slice by domain, as a stack; faults below it, inputs above it, and the planned events dashed. */
export function Density({ axis: { slices } }: { readonly axis: TimelineAxis }) {
  const most = Math.max(1, ...slices.map(({ events, ahead }) => events + ahead));
  const share = width / slices.length;
  const room = height - 2 * mark;
  // The root keeps a few events visible next to thousands.
  const high = (events: number) => room * Math.sqrt(events / most);
  const totals = new Map<string, number>();
  for (const { byDomain } of slices) {
    for (const [domain, events] of byDomain) count(totals, domain, events);
  }
  const domains = [...totals].sort(([, one], [, other]) => other - one).map(([domain]) => domain);
  const below = slices.map(() => height - mark);
  const box = (index: number, top: number, tall: number) =>
    `M${index * share} ${top}h${share * 0.9}v${tall}h${-share * 0.9}z`;
  return (
    <svg class="density" viewBox={`0 0 ${width} ${height}`} preserveAspectRatio="none" aria-hidden="true">
      {domains.map((domain) => {
        const path = slices.map(({ byDomain, events }, index) => {
          const own = byDomain.get(domain);
          if (own === undefined) return '';
          const tall = (high(events) * own) / events;
          below[index] = (below[index] ?? 0) - tall;
          return box(index, below[index] ?? 0, tall);
        });
        return <path key={domain} d={path.join('')} style={{ fill: `oklch(${colourOf(domain)})` }} />;
      })}
      <path
        class="density-ahead"
        d={slices
          .map(({ ahead }, index) =>
            ahead === 0 ? '' : box(index, height - mark - high(ahead), high(ahead)),
          )
          .join('')}
      />
      <path
        class="density-faults"
        d={slices
          .map(({ faults }, index) => (faults === 0 ? '' : box(index, height - mark + 1, mark - 1)))
          .join('')}
      />
      <path
        class="density-inputs"
        d={slices.map(({ labels }, index) => (labels.length > 0 ? box(index, 0, mark - 1) : '')).join('')}
      />
    </svg>
  );
}
