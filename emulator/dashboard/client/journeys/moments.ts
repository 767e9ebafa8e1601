import type { CellTimeline, CellStep } from '../../../run/cell-timeline.js';
import { catalogue } from '../catalogue.js';
import { occurrenceOf, type StreamEvent, supplyPointOf } from '../stream/stream-event.js';
import { type Lane, laneOf } from './lanes.js';

/** An occurrence in a customer's journey with all its versions: sent, missing or expected. */
export interface Moment {
  readonly id: string;
  readonly at: number;
  readonly type: string;
  readonly lane: Lane;
  /** Supply point, which tells apart events of one type; undefined if there are none or several. */
  readonly subject: string | undefined;
  readonly instance: string;
  readonly branches: Readonly<Record<string, string>>;
  /** `missing`: in the timeline, but not in the stream, because a fault has dropped or delayed it. */
  readonly state: 'sent' | 'missing' | 'expected';
  readonly versions: readonly string[];
  /** Received events of the occurrence, duplicates included. */
  readonly events: readonly StreamEvent[];
  readonly faults: readonly string[];
  /** Delay from the occurrence to its sending, in virtual milliseconds. */
  readonly late: number;
}

/**
 * Combines received and expected events. A replay has no timeline, so it has received events only.
 * @param reached Virtual instant up to which all sent events were received.
 */
export function momentsOf(
  events: Iterable<StreamEvent>,
  timeline: CellTimeline | undefined,
  reached: number,
): Moment[] {
  const byOccurrence = new Map<string, StreamEvent[]>();
  const byId = new Map<string, string>();
  for (const event of events) {
    const occurrence = occurrenceOf(event);
    byOccurrence.set(occurrence, [...(byOccurrence.get(occurrence) ?? []), event]);
    const id = event.headers['event-id'];
    if (id !== undefined) byId.set(id, occurrence);
  }
  const moments: Moment[] = [];
  for (const step of timeline?.steps ?? []) {
    const occurrence = step.versions.map(({ id }) => byId.get(id)).find((found) => found !== undefined);
    if (occurrence !== undefined) continue;
    moments.push(unsent(step, reached));
  }
  for (const [occurrence, received] of byOccurrence) moments.push(sent(occurrence, received));
  return moments.sort((one, other) => one.at - other.at);
}

function sent(id: string, events: readonly StreamEvent[]): Moment {
  const [first] = events as [StreamEvent, ...StreamEvent[]];
  return {
    ...common(id, first.about),
    subject: supplyPointOf(first),
    state: 'sent',
    versions: [...new Set(events.map(({ about }) => about.version))],
    events,
    faults: [...new Set(events.flatMap(({ about }) => about.faults))],
    late: Math.max(...events.map(({ about }) => (about.sentAt ?? about.at) - about.at)),
  };
}

function unsent(step: CellStep, reached: number): Moment {
  const [{ version, id } = { version: '', id: '' }] = step.versions;
  return {
    ...common(id, { ...step, version }),
    subject: undefined,
    state: step.at <= reached ? 'missing' : 'expected',
    versions: step.versions.map((each) => each.version),
    events: [],
    faults: [],
    late: 0,
  };
}

/** Returns the members that sent and unsent moments have in common. */
function common(
  id: string,
  { at, type, version, instance, branches = {} }: StreamEvent['about'] | (CellStep & { version: string }),
): Pick<Moment, 'id' | 'at' | 'type' | 'lane' | 'instance' | 'branches'> {
  const lane = laneOf(type, catalogue.value.get(`${type}-${version}`));
  return { id, at, type, lane, instance, branches };
}
