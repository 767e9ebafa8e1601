import type { EventType } from '../../../catalogue/index.js';
import type { StreamEvent } from '../../../emulator/invariants/invariant.js';
import { parseFieldPath } from '../../../emulator/samples/field-path.js';

/** Makes of a stream one that could never be. */
export type Mutation = (events: readonly StreamEvent[]) => StreamEvent[];

/** Moves the first event of a type to a moment before the first of another. */
export function before(other: EventType, type: EventType): Mutation {
  return (events) => {
    const at = timeOf(first(events, other)) - 1;
    return moved(events, type, at);
  };
}

/** Moves the first event of a type behind the last event, or by that many days. */
export function late(type: EventType, days = 0): Mutation {
  return (events) => {
    const at = days === 0 ? endOf(events) : timeOf(first(events, type)) + days * 86_400_000;
    return moved(events, type, at);
  };
}

/** Repeats the first event of a type after all others, with changed contents if given. */
export function again(type: EventType, fields: Readonly<Record<string, unknown>> = {}): Mutation {
  return (events) => {
    const original = first(events, type);
    return [...events, edited(at(original, endOf(events), fresh), fields)];
  };
}

/** It happens again a moment before the first of another type. */
export function againBefore(
  other: EventType,
  type: EventType,
  fields: Readonly<Record<string, unknown>> = {},
): Mutation {
  return (events) => {
    const time = timeOf(first(events, other)) - 1;
    return [...events, edited(at(first(events, type), time, fresh), fields)];
  };
}

/** After everything else, there is an event of a type with what the first of another one carries. */
export function followedBy(type: EventType, carried: EventType, version = 'v1'): Mutation {
  return (events) => [...events, { ...at(first(events, carried), endOf(events), fresh), type, version }];
}

/** The first event of that type, and version, says something else. */
export function changed(
  type: EventType,
  fields: Readonly<Record<string, unknown>>,
  version?: string,
): Mutation {
  return (events) => {
    const original = events.find(
      (event) => event.type === type && event.version === (version ?? event.version),
    );
    if (original === undefined) throw new Error(`The stream has no "${type}".`);
    return events.map((event) => (event === original ? edited(event, fields) : event));
  };
}

export function all(...mutations: readonly Mutation[]): Mutation {
  return (events) => mutations.reduce<StreamEvent[]>((so, mutate) => mutate(so), [...events]);
}

const fresh = 'ffffffff';

function first(events: readonly StreamEvent[], type: EventType): StreamEvent {
  const found = events.find((event) => event.type === type);
  if (found === undefined) throw new Error(`The stream has no "${type}".`);
  return found;
}

function moved(events: readonly StreamEvent[], type: EventType, time: number): StreamEvent[] {
  const { occurredAt } = first(events, type);
  return events
    .map((event) => (event.type === type && event.occurredAt === occurredAt ? at(event, time) : event))
    .sort((a, b) => timeOf(a) - timeOf(b));
}

/** The event at another time, with another id when it is another event. */
function at(event: StreamEvent, time: number, id?: string): StreamEvent {
  return {
    ...event,
    id: id === undefined ? event.id : `${id}${event.id.slice(8)}`,
    occurredAt: new Date(time).toISOString(),
  };
}

function edited(event: StreamEvent, fields: Readonly<Record<string, unknown>>): StreamEvent {
  const payload = structuredClone(event.payload);
  for (const [path, value] of Object.entries(fields)) set(payload, parseFieldPath(path), value);
  return { ...event, payload };
}

function timeOf({ occurredAt }: StreamEvent): number {
  return Date.parse(occurredAt);
}

function endOf(events: readonly StreamEvent[]): number {
  return Math.max(...events.map(timeOf)) + 60_000;
}

function set(payload: unknown, path: readonly (string | number)[], value: unknown): void {
  let holder = payload as Record<string | number, unknown>;
  for (const part of path.slice(0, -1)) holder = holder[part] as Record<string | number, unknown>;
  const last = path.at(-1) ?? '';
  if (!(last in holder)) throw new Error(`The payload has no field "${path.join('.')}".`);
  holder[last] = value;
}
