import type { Course, CourseStep } from '../../../run/course.js';
import { catalogue } from '../catalogue.js';
import { occurrenceOf, type StreamEvent } from '../stream/stream-event.js';
import { type Lane, laneOf } from './lanes.js';

/** Something that happens to a customer: an occurrence with all its versions, sent, withheld or still to come. */
export interface Moment {
  readonly id: string;
  readonly at: number;
  readonly type: string;
  readonly lane: Lane;
  readonly instance: string;
  readonly branches: Readonly<Record<string, string>>;
  /** `missing`: the course of the process has it, and the stream does not: a fault has dropped it or holds it back. */
  readonly state: 'sent' | 'missing' | 'expected';
  readonly versions: readonly string[];
  /** What came of it, each version as often as it came. */
  readonly events: readonly StreamEvent[];
  readonly faults: readonly string[];
  /** How much later than it occurred it was sent, in virtual milliseconds. */
  readonly late: number;
}

/**
 * Puts what came beside what was to come. Without a course, as in a replay, there is only the former. `reached` is the
 * virtual instant up to which everything that was sent has come.
 */
export function momentsOf(
  events: Iterable<StreamEvent>,
  course: Course | undefined,
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
  for (const step of course?.steps ?? []) {
    const occurrence = step.versions.map(({ id }) => byId.get(id)).find((found) => found !== undefined);
    if (occurrence !== undefined) continue;
    moments.push(unsent(step, reached));
  }
  for (const [occurrence, came] of byOccurrence) moments.push(sent(occurrence, came));
  return moments.sort((one, other) => one.at - other.at);
}

function sent(id: string, events: readonly StreamEvent[]): Moment {
  const [first] = events as [StreamEvent, ...StreamEvent[]];
  return {
    ...what(id, first.about),
    state: 'sent',
    versions: [...new Set(events.map(({ about }) => about.version))],
    events,
    faults: [...new Set(events.flatMap(({ about }) => about.faults))],
    late: Math.max(...events.map(({ about }) => (about.sentAt ?? about.at) - about.at)),
  };
}

function unsent(step: CourseStep, reached: number): Moment {
  const [{ version, id } = { version: '', id: '' }] = step.versions;
  return {
    ...what(id, { ...step, version }),
    state: step.at <= reached ? 'missing' : 'expected',
    versions: step.versions.map((each) => each.version),
    events: [],
    faults: [],
    late: 0,
  };
}

/** What it is, whether it was sent or not. */
function what(
  id: string,
  { at, type, version, instance, branches = {} }: StreamEvent['about'] | (CourseStep & { version: string }),
): Pick<Moment, 'id' | 'at' | 'type' | 'lane' | 'instance' | 'branches'> {
  const lane = laneOf(type, catalogue.value.get(`${type}-${version}`));
  return { id, at, type, lane, instance, branches };
}
