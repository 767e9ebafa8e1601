import type { Catalogue, CatalogueEvent } from '../../catalogue/index.js';
import { BusbarError } from '../../src/base/errors.js';
import { quoted } from '../../src/base/quoted.js';
import type { Field } from './field-at.js';
import { removeField, writeField } from './field-path.js';
import { requireShallow } from './nesting.js';
import type { Sampler } from './sampler.js';
import { type Damage, spoil } from './spoil.js';
import { typedValue } from './typed-value.js';

/** What somebody wants of a payload, as a command line says it. */
export interface Order {
  /** Values, `account_number=A-1B2C3D4E`. */
  readonly set?: readonly string[] | undefined;
  /** Fields to leave out. */
  readonly unset?: readonly string[] | undefined;
  /** Damage: `missing:FIELD`, `type:FIELD` or `extra:FIELD`. */
  readonly invalid?: readonly string[] | undefined;
  /** Whether what is not valid may be sent without having been ordered so. Default true: it may not. */
  readonly validate?: boolean;
}

/** The event that is asked for. */
export interface Target {
  readonly catalogue: Catalogue;
  readonly event: CatalogueEvent;
  readonly sampler: Sampler;
}

/** Payloads made to order. */
export interface MadeToOrder {
  /** The nth that is drawn: with what is set, without what is not, not yet damaged. */
  draw(nth: number): Record<string, unknown>;
  /** Changes a payload from elsewhere in the same way; `name` is what errors call it. */
  overlay(payload: Record<string, unknown>, name: string): Record<string, unknown>;
  /** Does the damage that was ordered. */
  damage(payload: Record<string, unknown>): Record<string, unknown>;
}

/** @throws BusbarError `invalid-option` for an order that the event cannot be made to. */
export function toOrder(order: Order, target: Target): MadeToOrder {
  const { event, sampler } = target;
  const set = (order.set ?? []).map((text) => parseSet(text, target));
  const unset = (order.unset ?? []).map((path) => sampler.fieldAt(event, path));
  const damages = (order.invalid ?? [])
    .map(parseDamage)
    .map((damage) => ({ damage, field: fieldOf(damage, target) }));
  const overrides = Object.fromEntries(set.map(({ text, value }) => [text, value]));
  const without = (payload: Record<string, unknown>) => {
    for (const { path } of unset) removeField(payload, path);
    return payload;
  };
  return {
    draw: (nth) => without(sampler.sample(event, { nth, overrides })),
    overlay(payload, name) {
      for (const { field, text, value } of set) {
        if (writeField(payload, field.path, value)) continue;
        throw new BusbarError('invalid-option', `${quoted(name)} has no place for ${quoted(text)}.`);
      }
      return without(payload);
    },
    damage(payload) {
      for (const { damage, field } of damages) spoil(payload, damage, field);
      return payload;
    },
  };
}

/** Looks at a payload before it is sent: valid, unless it was asked to be otherwise. */
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
    throw new BusbarError('invalid-option', message);
  }
  const text = argument.slice(0, separator);
  const field = sampler.fieldAt(event, text);
  const value = typedValue(field, argument.slice(separator + 1));
  requireShallow(text, value);
  return { text, field, value };
}

function parseDamage(argument: string): Damage {
  const separator = argument.indexOf(':');
  const kind = argument.slice(0, Math.max(0, separator));
  const path = argument.slice(separator + 1);
  if ((kind === 'missing' || kind === 'type' || kind === 'extra') && path !== '') return { kind, path };
  const message = `Option "invalid" takes missing:FIELD, type:FIELD or extra:FIELD, not "${argument.slice(0, 100)}".`;
  throw new BusbarError('invalid-option', message);
}

/** A field that is to be too many is one that the event does not have. */
function fieldOf({ kind, path }: Damage, { sampler, event }: Target): Field | undefined {
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
  const listed = violations
    .slice(0, 5)
    .map((each) => `"${each.pointer}" ${each.message} (rule "${each.rule}")`);
  throw new BusbarError(
    'invalid-option',
    `"${event.name}" would not be valid: ${listed.join('; ')}. Mend it, or send it with --no-validate.`,
  );
}

async function requireInvalid({ catalogue, event }: Target, payload: unknown): Promise<void> {
  const valid = await catalogue.validator(event);
  if (!valid(payload)) return;
  throw new BusbarError('invalid-option', `"${event.name}" is still valid after the damage of "--invalid".`);
}
