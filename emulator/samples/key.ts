import { isKeyEntity, usualKey } from 'busbar/internal/catalogue';
import { type FieldPath, readField } from './field-path.js';
import type { PlayedEvent } from './played.js';

/**
 * Returns the partition key of a payload: its value in the field where the played payload has the key, else the played
 * key. Returns undefined without a played event, as for a custom event.
 */
export function playedKey(payload: unknown, played: PlayedEvent | undefined): string | undefined {
  if (played === undefined) return undefined;
  for (const path of pathsTo(played.key, played.payload)) {
    const value = readField(payload, path);
    if (value !== '' && typeof value === typeof readField(played.payload, path)) return String(value);
  }
  return played.key;
}

/**
 * Returns the key of a custom event: a field such as `account_number` or `user_number`. Events of a custom entity are
 * keyed by account, because no field is known to identify the entity.
 */
export function namedKey(payload: unknown, entity: string): string | undefined {
  const known = (isKeyEntity(entity) ? entity : usualKey).replaceAll('-', '_');
  const names = ['number', 'identifier', 'id'].map((ending) => `${known}_${ending}`);
  const value = names.map((name) => readField(payload, [name])).find(isName);
  return value === undefined ? undefined : String(value);
}

function* pathsTo(key: string, value: unknown, path: FieldPath = []): Generator<FieldPath, void, void> {
  if (typeof value !== 'object' || value === null) {
    if (isName(value) && String(value) === key) yield path;
    return;
  }
  for (const [name, each] of Object.entries(value)) {
    yield* pathsTo(key, each, [...path, Array.isArray(value) ? Number(name) : name]);
  }
}

function isName(value: unknown): value is string | number {
  return Number.isInteger(value) || (typeof value === 'string' && value !== '');
}
