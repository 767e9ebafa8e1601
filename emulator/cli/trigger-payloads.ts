import type { Catalogue, CatalogueEvent } from '../../catalogue/index.js';
import { BusbarError } from '../../src/errors.js';
import type { Field } from '../samples/field-at.js';
import { removeField, writeField } from '../samples/field-path.js';
import type { Sampler } from '../samples/sampler.js';
import { type Damage, spoil } from '../samples/spoil.js';
import { typedValue } from '../samples/typed-value.js';
import { editPayload, readPayload } from './payload-file.js';

/** What the command says about payloads. */
export interface PayloadArguments {
  readonly set?: readonly string[] | undefined;
  readonly unset?: readonly string[] | undefined;
  readonly edit?: boolean | undefined;
  readonly raw?: string | undefined;
  readonly invalid?: readonly string[] | undefined;
  readonly validate: boolean;
}

/** The event that is asked for. */
export interface Target {
  readonly catalogue: Catalogue;
  readonly event: CatalogueEvent;
  readonly sampler: Sampler;
}

/** How the nth payload is made: drawn, or always the one that was read or edited. */
export async function payloads(
  args: PayloadArguments,
  target: Target,
): Promise<(nth: number) => Record<string, unknown>> {
  const { event, sampler } = target;
  const set = (args.set ?? []).map((text) => parseSet(text, target));
  const unset = (args.unset ?? []).map((path) => sampler.fieldAt(event, path));
  const damages = (args.invalid ?? [])
    .map(parseDamage)
    .map((damage) => ({ damage, field: fieldOf(damage, target) }));

  const damage = (payload: Record<string, unknown>) => {
    for (const { damage, field } of damages) spoil(payload, damage, field);
    return payload;
  };
  const without = (payload: Record<string, unknown>) => {
    for (const { path } of unset) removeField(payload, path);
    return payload;
  };
  const overrides = Object.fromEntries(set.map(({ text, value }) => [text, value]));
  const draw = (nth: number) => without(sampler.sample(event, { nth, overrides }));
  if (args.raw === undefined && args.edit !== true) return (nth) => damage(draw(nth));

  let fixed =
    args.raw === undefined ? draw(0) : without(overlaid(await readPayload(args.raw), args.raw, set));
  if (args.edit === true) {
    fixed = await editPayload(fixed, async (edited) => {
      if (args.validate) await requireValid(target, edited);
    });
  }
  return () => damage(structuredClone(fixed));
}

/** Looks at a payload before it is sent: valid, unless it was asked to be otherwise. */
export async function check(args: PayloadArguments, target: Target, payload: unknown): Promise<void> {
  const isDamaged = args.invalid?.some((each) => !each.startsWith('extra:')) ?? false;
  if (isDamaged) await requireInvalid(target, payload);
  else if (args.validate) await requireValid(target, payload);
}

interface SetValue {
  /** The path as it was typed. */
  readonly text: string;
  readonly field: Field;
  readonly value: unknown;
}

/** What is set goes on top of what the file says. */
function overlaid(
  payload: Record<string, unknown>,
  file: string,
  set: readonly SetValue[],
): Record<string, unknown> {
  for (const { field, text, value } of set) {
    if (writeField(payload, field.path, value)) continue;
    throw new BusbarError('invalid-option', `"${file}" has no place for "${text}".`);
  }
  return payload;
}

function parseSet(argument: string, { sampler, event }: Target): SetValue {
  const separator = argument.indexOf('=');
  if (separator < 1) {
    const message = 'Option "set" takes PATH=VALUE, as account_number=A-1B2C3D4E.';
    throw new BusbarError('invalid-option', message);
  }
  const text = argument.slice(0, separator);
  const field = sampler.fieldAt(event, text);
  return { text, field, value: typedValue(field, argument.slice(separator + 1)) };
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

async function requireValid({ catalogue, event }: Target, payload: unknown): Promise<void> {
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
