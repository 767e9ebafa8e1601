import type { CellTimeline, CellStep } from '../../../run/cell-timeline.js';
import { domainOf } from '../domains.js';
import { occurrenceOf, type StreamEvent } from '../stream/stream-event.js';

/** An occurrence in a customer's journey with all its versions. */
export interface Moment {
  readonly id: string;
  readonly at: number;
  readonly type: string;
  readonly domain: string;
  readonly instance: string;
  readonly branches: Readonly<Record<string, string>>;
  /**
   * `missing`: in the timeline, but not in the stream, because a fault has dropped or delayed it.
   * `gone`: older than all events that the emulator still had.
   */
  readonly state: 'sent' | 'gone' | 'missing' | 'expected';
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
 * @param gone Virtual instant up to which sent events may have been missed.
 */
export function momentsOf(
  events: readonly StreamEvent[],
  timeline: CellTimeline | undefined,
  reached: number,
  gone: number,
): Moment[] {
  const received = new Set(events.map(({ headers }) => headers['event-id']));
  const rest = timeline?.steps.filter(({ versions }) => !versions.some(({ id }) => received.has(id))) ?? [];
  const moments = [
    ...rest.map((step) => unsent(step, reached, gone)),
    ...Array.from(Map.groupBy(events, occurrenceOf), ([occurrence, own]) => sent(occurrence, own)),
  ];
  return moments.sort((one, other) => one.at - other.at);
}

function sent(id: string, events: readonly StreamEvent[]): Moment {
  const [first] = events as [StreamEvent, ...StreamEvent[]];
  return {
    ...common(id, first.about),
    state: 'sent',
    versions: [...new Set(events.map(({ about }) => about.version))],
    events,
    faults: [...new Set(events.flatMap(({ about }) => about.faults))],
    late: Math.max(...events.map(({ about }) => (about.sentAt ?? about.at) - about.at)),
  };
}

/** Returns the moment of a step without events. `of` tells apart two futures of one step. */
export function unsent(step: CellStep, reached: number, gone: number, of = ''): Moment {
  return {
    ...common((step.versions[0]?.id ?? '') + of, step),
    state: step.at <= gone ? 'gone' : step.at <= reached ? 'missing' : 'expected',
    versions: step.versions.map((each) => each.version),
    events: [],
    faults: [],
    late: 0,
  };
}

/** Returns the members that sent and unsent moments have in common. */
function common(
  id: string,
  { at, type, instance, branches = {} }: StreamEvent['about'] | CellStep,
): Pick<Moment, 'id' | 'at' | 'type' | 'domain' | 'instance' | 'branches'> {
  return { id, at, type, domain: domainOf(type), instance, branches };
}
