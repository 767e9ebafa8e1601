import type { StreamEvent } from './invariant.js';

// Readers of payloads. They return undefined for missing and unexpected values, because the catalogue validates payloads.

type Payload = Pick<StreamEvent, 'payload'>;
type Path = readonly (string | number)[];

/** Returns an identifier as text, from a number or a string. */
export function identifier(event: Payload, ...path: Path): string | undefined {
  return asIdentifier(at(event.payload, path));
}

export function asIdentifier(value: unknown): string | undefined {
  if (typeof value === 'string' && value !== '') return value;
  return typeof value === 'number' ? String(value) : undefined;
}

export function number(event: StreamEvent, ...path: Path): number | undefined {
  const value = at(event.payload, path);
  return typeof value === 'number' ? value : undefined;
}

export function flag(event: StreamEvent, ...path: Path): boolean | undefined {
  const value = at(event.payload, path);
  return typeof value === 'boolean' ? value : undefined;
}

/** Returns a calendar day as `2026-03-02`, from that form, `20260302` or `2026-03-02T00:00:00Z`. */
export function day(event: StreamEvent, ...path: Path): string | undefined {
  const value = at(event.payload, path);
  if (typeof value !== 'string') return undefined;
  const parts = /^(\d{4})-?(\d\d)-?(\d\d)(?=$|T)/.exec(value);
  return parts === null ? undefined : parts.slice(1).join('-');
}

/** Returns an instant in milliseconds since the epoch. */
export function instant(event: StreamEvent, ...path: Path): number | undefined {
  return asInstant(at(event.payload, path));
}

export function asInstant(value: unknown): number | undefined {
  const milliseconds = typeof value === 'string' ? Date.parse(value) : Number.NaN;
  return Number.isNaN(milliseconds) ? undefined : milliseconds;
}

export function list(event: Payload, ...path: Path): readonly unknown[] {
  const value = at(event.payload, path);
  return Array.isArray(value) ? value : [];
}

export function member(value: unknown, name: string | number): unknown {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, name)
    ? (value as Record<string | number, unknown>)[name]
    : undefined;
}

/** Returns the identifiers of the supply points that an event lists. */
export function supplyPoints(event: Payload): readonly (string | undefined)[] {
  return list(event, 'supply_points').map((point) => asIdentifier(member(point, 'external_identifier')));
}

/** Returns the members of an object of changes that have a new value. */
export function changedMembers(event: StreamEvent, name: string): string[] {
  const changes = at(event.payload, [name]);
  if (typeof changes !== 'object' || changes === null) return [];
  return Object.entries(changes)
    .filter(([, change]) => member(change, 'new') !== undefined)
    .map(([changed]) => changed);
}

/** Returns the event's time of occurrence in milliseconds since the epoch. */
export function occurred(event: StreamEvent): number {
  return Date.parse(event.occurredAt);
}

function at(payload: unknown, path: Path): unknown {
  let value = payload;
  for (const name of path) value = member(value, name);
  return value;
}
