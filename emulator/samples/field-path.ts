import { BusbarError } from 'busbar/base';

/** Field names and list indexes: `supply_points[0].market_name` is `['supply_points', 0, 'market_name']`. */
export type FieldPath = readonly (string | number)[];

/** Maximum length of a list in a sample. */
const maxList = 1000;

const maxPath = 500;

/**
 * Reads a path such as `account_number`, `supply_points[0].market_name` or `changes.status.new`.
 * @throws BusbarError `invalid-option` for any other text.
 */
export function parseFieldPath(text: string): FieldPath {
  const wellFormed = /^([^.[\]\s]+|\[\d{1,6}\])(\[\d{1,6}\])*(\.[^.[\]\s]+(\[\d{1,6}\])*)*$/;
  if (text.length > maxPath || !wellFormed.test(text)) {
    const example = 'Write it as account_number or supply_points[0].market_name.';
    throw new BusbarError('invalid-option', `"${text.slice(0, 100)}" is not the path of a field. ${example}`);
  }
  const path = Array.from(text.matchAll(/([^.[\]]+)|\[(\d+)\]/g), ([part, name]) =>
    name === undefined ? Number(part.slice(1, -1)) : name,
  );
  // "1" between two dots is a name; only brackets contain indexes.
  if (path.some((part) => typeof part === 'number' && part >= maxList)) {
    throw new BusbarError('invalid-option', `"${text}" asks for a list of more than ${maxList} values.`);
  }
  if (path.some((part) => unsafeNames.has(part))) {
    throw new BusbarError(
      'invalid-option',
      `"${text}" is not the path of a field. Choose a field of the event.`,
    );
  }
  return path;
}

/** Formats the path, for example `supply_points[0].market_name`. */
export function formatFieldPath(path: FieldPath): string {
  return path
    .map((part, place) => (typeof part === 'number' ? `[${part}]` : place === 0 ? part : `.${part}`))
    .join('');
}

/** Whether `path` is `whole` or a path inside it. */
export function isWithin(path: FieldPath, whole: FieldPath): boolean {
  return whole.length <= path.length && whole.every((part, place) => path[place] === part);
}

export function readField(payload: unknown, path: FieldPath): unknown {
  let value = payload;
  for (const part of path) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, part)) return undefined;
    value = (value as Record<string | number, unknown>)[part];
  }
  return value;
}

/** Sets the value at the path. Returns false if a value on the path is neither object nor list. */
export function writeField(payload: unknown, path: FieldPath, value: unknown): boolean {
  const last = path.at(-1);
  if (last === undefined) return false;
  let holder: unknown = payload;
  for (const [place, part] of path.slice(0, -1).entries()) {
    if (!holds(holder, part)) return false;
    holder[part] ??= typeof path[place + 1] === 'number' ? [] : {};
    holder = holder[part];
  }
  if (!holds(holder, last)) return false;
  holder[last] = value;
  return true;
}

/** Removes the value at the path. Later values of a list move up. */
export function removeField(payload: unknown, path: FieldPath): void {
  const holder = readField(payload, path.slice(0, -1));
  const last = path.at(-1);
  if (last === undefined || typeof holder !== 'object' || holder === null) return;
  if (Array.isArray(holder) && typeof last === 'number') holder.splice(last, 1);
  // eslint-disable-next-line @typescript-eslint/no-dynamic-delete -- the caller names the field
  else delete (holder as Record<string | number, unknown>)[last];
}

/** Names that would change the prototype of every object. */
const unsafeNames = new Set<string | number>(['__proto__', 'constructor', 'prototype']);

function holds(value: unknown, part: string | number): value is Record<string | number, unknown> {
  if (typeof value !== 'object' || value === null) return false;
  // Lists have no holes: only the next index can be new.
  return Array.isArray(value) ? typeof part === 'number' && part <= value.length : typeof part === 'string';
}
