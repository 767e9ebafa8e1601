import { BusbarError, quoted } from 'busbar/base';
import type { Catalogue, CatalogueEvent } from 'busbar/catalogue';
import { asType } from './constraints.js';
import { article, type Field } from './field-at.js';
import { formatFieldPath, parseFieldPath, readField, removeField, writeField } from './field-path.js';
import { listViolations } from './list-violations.js';
import { requireSendable } from './sendable.js';
import type { Sampler } from './sampler.js';
import type { FieldType } from './schema-view.js';

/** Requested changes of a payload, in the syntax of the command line. */
export interface Order {
  /** Values, for example `account_number=A-1B2C3D4E`. */
  readonly set?: readonly string[] | undefined;
  /** Fields to leave out. */
  readonly unset?: readonly string[] | undefined;
  /** Corruptions: `missing:FIELD`, `type:FIELD` or `extra:FIELD`. */
  readonly invalid?: readonly string[] | undefined;
  /** Whether the payload must be valid unless `invalid` is set. Default true. */
  readonly validate?: boolean;
}

/** The requested event. */
export interface Target {
  readonly catalogue: Catalogue;
  readonly event: CatalogueEvent;
  readonly sampler: Sampler;
}

/** Returns payloads with the requested changes. @throws BusbarError `invalid-option` for a change that does not fit the event. */
export function buildPayloads(order: Order, target: Target) {
  const { event, sampler } = target;
  const set = (order.set ?? []).map((text) => parseSet(text, target));
  const unset = (order.unset ?? []).map((path) => sampler.fieldAt(event, path));
  const corruptions = (order.invalid ?? [])
    .map(parseCorruption)
    .map((corruption) => ({ corruption, field: fieldOf(corruption, target) }));
  const overrides = Object.fromEntries(set.map(({ text, value }) => [text, value]));
  const without = (payload: unknown) => {
    for (const { path } of unset) removeField(payload, path);
    return payload;
  };
  return {
    /** Draws the nth payload and applies `set` and `unset`. */
    draw: (nth: number) => without(sampler.sample(event, { nth, overrides })),
    /** Applies `set` and `unset` to a payload. `name` identifies it in errors. */
    overlay(payload: unknown, name: string) {
      for (const { field, text, value } of set) {
        if (writeField(payload, field.path, value)) continue;
        throw new BusbarError('invalid-option', `${quoted(name)} has no place for ${quoted(text)}.`);
      }
      return without(payload);
    },
    /** Applies `invalid` to a payload. */
    damage(payload: unknown) {
      for (const { corruption, field } of corruptions) corrupt(payload, corruption, field);
      return payload;
    },
  };
}

/** Validates a payload before it is sent: it must be valid, or invalid if the order says so. */
export async function check(order: Order, target: Target, payload: unknown): Promise<void> {
  const isDamaged = order.invalid?.some((each) => !each.startsWith('extra:')) ?? false;
  if (isDamaged) await requireInvalid(target, payload);
  else if (order.validate !== false) await requireValid(target, payload);
}

interface SetValue {
  /** The path as it was typed. */
  readonly text: string;
  readonly field: Field;
  readonly value: unknown;
}

function parseSet(argument: string, { sampler, event }: Target): SetValue {
  const separator = argument.indexOf('=');
  if (separator < 1) {
    const message = 'Option "set" takes PATH=VALUE, as account_number=A-1B2C3D4E.';
    throw new BusbarError('invalid-option', message, { options: ['set'] });
  }
  const text = argument.slice(0, separator);
  const field = sampler.fieldAt(event, text);
  const value = typedValue(field, argument.slice(separator + 1));
  requireSendable(text, value);
  return { text, field, value };
}

function parseCorruption(argument: string): Corruption {
  const separator = argument.indexOf(':');
  const kind = argument.slice(0, Math.max(0, separator));
  const path = argument.slice(separator + 1);
  if ((kind === 'missing' || kind === 'type' || kind === 'extra') && path !== '') return { kind, path };
  const message = `Option "invalid" takes missing:FIELD, type:FIELD or extra:FIELD, not "${argument.slice(0, 100)}".`;
  throw new BusbarError('invalid-option', message, { options: ['invalid'] });
}

/** Returns the field, or undefined for an extra field, which the event does not have. */
function fieldOf({ kind, path }: Corruption, { sampler, event }: Target): Field | undefined {
  try {
    return sampler.fieldAt(event, path);
  } catch (error) {
    if (kind === 'extra') return undefined;
    throw error;
  }
}

export async function requireValid({ catalogue, event }: Target, payload: unknown): Promise<void> {
  const valid = await catalogue.validator(event);
  if (valid(payload)) return;
  const violations = await catalogue.explain(event, payload);
  throw new BusbarError(
    'invalid-option',
    `"${event.name}" would not be valid: ${listViolations(violations)}. Fix it, or send it with --no-validate.`,
  );
}

async function requireInvalid({ catalogue, event }: Target, payload: unknown): Promise<void> {
  const valid = await catalogue.validator(event);
  if (!valid(payload)) return;
  throw new BusbarError('invalid-option', `"${event.name}" is still valid after the damage of "--invalid".`);
}

/** A change that makes a payload invalid. An extra field is valid by most schemas. */
interface Corruption {
  readonly kind: 'missing' | 'type' | 'extra';
  /** For example `supply_points[0].market_name`. */
  readonly path: string;
}

/**
 * Corrupts the payload: removes a required field, gives a field a value of another type, or adds an unknown field.
 * @param field The field in the schema; undefined for an unknown field.
 * @throws BusbarError `invalid-option` for a corruption that does not fit the schema or the payload.
 */
function corrupt(payload: unknown, corruption: Corruption, field: Field | undefined): void {
  const { kind, path: text } = corruption;
  const path = field?.path ?? parseFieldPath(text);
  const holder = readField(payload, path.slice(0, -1));
  const isThere = holder !== undefined && readField(payload, path) !== undefined;
  if (kind === 'extra') {
    const isPlace = typeof path.at(-1) === 'number';
    if (field !== undefined || isThere || isPlace)
      refuse(corruption, 'the event already has this field. Name another one');
    if (!writeField(payload, path, 'unexpected')) {
      refuse(corruption, `the payload has no "${formatFieldPath(path.slice(0, -1))}". Set it first`);
    }
    return;
  }
  if (kind === 'missing' && field?.isRequired !== true)
    refuse(corruption, 'the event is valid without this field. Name a required one');
  if (!isThere) refuse(corruption, 'the payload lacks this field. Set it first');
  if (kind === 'missing') removeField(payload, path);
  else writeField(payload, path, wrongValues[field?.type ?? 'string']);
}

/** For each type, a value of another type. */
const wrongValues: Readonly<Record<FieldType, unknown>> = {
  string: 0,
  integer: 'not a number',
  number: 'not a number',
  boolean: 'not a boolean',
  object: [],
  array: {},
  null: false,
};

function refuse({ kind, path }: Corruption, why: string): never {
  throw new BusbarError('invalid-option', `Damage "${kind}:${path}" is impossible: ${why}.`);
}

/**
 * Parses a value by the type of its field: numbers, booleans, objects and lists from JSON, strings unchanged.
 * @throws BusbarError `invalid-option` with the field and its type, but not the text.
 */
function typedValue({ path, type, schema }: Field, text: string): unknown {
  if (text === 'null' && Array.isArray(schema.type) && schema.type.includes('null')) return null;
  if (type === 'string') return text;
  const value = asType(json(text), type);
  if (value !== undefined && (value !== null || text === 'null')) return value;
  const example = examples[type];
  throw new BusbarError(
    'invalid-option',
    `"${formatFieldPath(path)}" takes ${article(type)}, e.g. ${example}.`,
  );
}

const examples = {
  integer: '42',
  number: '4.2',
  boolean: 'true or false',
  object: '\'{"name": "value"}\'',
  array: '\'["value"]\'',
  null: 'null',
} as const;

function json(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
