import type { RunTimeline } from '../../run-timeline.js';
import { count, type Tally } from '../stream/tally.js';

export interface TimeSlice {
  readonly at: number;
  readonly byDomain: Map<string, number>;
  events: number;
  faults: number;
  /** Number of planned events. */
  ahead: number;
  readonly labels: string[];
}

const hour = 3_600_000;
const day = 24 * hour;
const maxSlices = 180;

/** The run from its start to its known future, in slices of one length. */
export type TimelineAxis = ReturnType<typeof axisOf>;

export function axisOf({ width, bins }: Tally, timeline: RunTimeline | undefined, now: number) {
  const planned = (timeline?.ahead ?? []).filter(({ at }) => at > now);
  const begin = Math.min(timeline?.start ?? now, now, ...bins.keys());
  const end = Math.max(now, planned.at(-1)?.at ?? 0, begin + day);
  const step = Math.max(1, Math.ceil((end - begin) / maxSlices / width)) * width;
  const from = Math.floor(begin / hour) * hour;
  const slices = Array.from(
    { length: Math.floor((end - from) / step) + 1 },
    (_, index): TimeSlice => ({
      at: from + index * step,
      byDomain: new Map(),
      events: 0,
      faults: 0,
      ahead: 0,
      labels: [],
    }),
  );
  const sliceAt = (at: number) => slices[Math.max(0, Math.floor((at - from) / step))];
  for (const [start, { byDomain, faults }] of bins) {
    const slice = sliceAt(start);
    if (slice === undefined) continue;
    for (const [domain, events] of byDomain) {
      count(slice.byDomain, domain, events);
      slice.events += events;
    }
    slice.faults += faults;
  }
  for (const { at, events } of planned) {
    const slice = sliceAt(at);
    if (slice !== undefined) slice.ahead += events;
  }
  for (const { at, label } of timeline?.inputs ?? []) sliceAt(at)?.labels.push(label);
  return { from, to: from + slices.length * step, step, slices };
}
