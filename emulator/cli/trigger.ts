import type { Argv } from 'yargs';
import { type Catalogue, type CatalogueEvent, openCatalogue } from '../../catalogue/index.js';
import { systemClock } from '../../src/clock.js';
import { BusbarError } from '../../src/errors.js';
import { ordering } from '../engine/identity.js';
import { instantPace } from '../engine/pacing.js';
import type { Occurred } from '../engine/simulation.js';
import { type Encoder, encoder } from '../run/encode.js';
import { startRun } from '../run/run.js';
import { occurring } from '../run/source.js';
import type { Field } from '../samples/field-at.js';
import { readField, removeField, writeField } from '../samples/field-path.js';
import { createSampler, type Sampler } from '../samples/sampler.js';
import { type Damage, spoil } from '../samples/spoil.js';
import { typedValue } from '../samples/typed-value.js';
import { stdoutSink } from '../sinks/stdout.js';
import { editPayload, readPayload } from './payload-file.js';

export interface TriggerArguments {
  readonly name: string;
  readonly set?: readonly string[] | undefined;
  readonly unset?: readonly string[] | undefined;
  readonly count: number;
  readonly edit?: boolean | undefined;
  readonly raw?: string | undefined;
  readonly invalid?: readonly string[] | undefined;
  readonly validate: boolean;
  readonly seed: number;
  readonly to: 'stdout';
}

/** The options of `emulate trigger`. */
export function triggerOptions(command: Argv): Argv<TriggerArguments> {
  const list = { type: 'string', array: true, nargs: 1, requiresArg: true } as const;
  return command
    .positional('name', { type: 'string', demandOption: true, describe: 'As in "busbar catalogue list"' })
    .option('set', { ...list, describe: 'A value: account_number=A-1B2C3D4E' })
    .option('unset', { ...list, describe: 'A field to leave out' })
    .option('count', { type: 'number', requiresArg: true, default: 1, describe: 'How many' })
    .option('edit', { type: 'boolean', describe: 'Change the payload in $EDITOR before it is sent' })
    .option('raw', { type: 'string', requiresArg: true, describe: 'A file with the payload' })
    .option('invalid', { ...list, describe: 'Damage: missing:FIELD, type:FIELD or extra:FIELD' })
    .option('validate', { type: 'boolean', default: true, describe: '--no-validate sends what is not valid' })
    .option('seed', { type: 'number', requiresArg: true, default: 1, describe: 'Same seed, same bytes' })
    .option('to', {
      type: 'string',
      choices: ['stdout'] as const,
      default: 'stdout' as const,
      describe: 'Where to',
    })
    .example(
      "$0 trigger lifecycle.leave-supplier.completed-v3 --set account_number=A-1B2C3D4E --set 'supply_points[0].market_name=GBR_GAS'",
      'a leave about that account and its gas',
    );
}

/** `emulate trigger`: realistic events of one kind, as many as wanted, each a second after the one before. */
export async function trigger(args: TriggerArguments): Promise<void> {
  requireWhole('seed', args.seed, Number.MIN_SAFE_INTEGER, Number.MAX_SAFE_INTEGER);
  requireWhole('count', args.count, 1, 1_000_000);
  const catalogue = openCatalogue();
  const event = findEvent(catalogue, args.name);
  const sampler = await createSampler({ catalogue, seed: args.seed });
  const payloadOf = await payloads(args, { catalogue, event, sampler });

  const order = ordering(args.seed);
  const sink = stdoutSink();
  const run = startRun({
    source: occurring(
      occurrences(args.count, event, { sampler, order, payloadOf }),
      checking(args, { catalogue, event, encode: encoder(accepting(catalogue), order) }),
    ),
    pace: instantPace,
    sinks: [sink],
    clock: systemClock,
  });
  sink.readerGone.addEventListener('abort', () => void run.stop());
  try {
    await run.finished;
  } finally {
    await sink.close();
  }
}

/** By its name in the catalogue; a type stands for its newest version. */
function findEvent(catalogue: Catalogue, name: string): CatalogueEvent {
  const named = catalogue.named(name);
  if (named !== undefined) return named;
  const versions = catalogue.versionsOf(name);
  const newest = catalogue.find(name, versions.at(-1) ?? '');
  if (newest === undefined) {
    const near = catalogue.nearest(name).map((each) => `"${each}"`);
    const hint =
      near.length > 0 ? `Did you mean ${near.join(' or ')}?` : 'Names are listed in docs/events.md.';
    throw new BusbarError('unknown-event', `There is no event "${name.slice(0, 200)}". ${hint}`);
  }
  if (versions.length > 1) {
    const listed = versions.map((version) => `"${version}"`).join(', ');
    process.stderr.write(`emulate: "${name}" has ${listed}; this is "${newest.name}".\n`);
  }
  return newest;
}

interface Target {
  readonly catalogue: Catalogue;
  readonly event: CatalogueEvent;
  readonly sampler: Sampler;
}

/** How the nth payload is made: drawn, or always the one that was read or edited. */
async function payloads(
  args: TriggerArguments,
  { catalogue, event, sampler }: Target,
): Promise<(nth: number) => Record<string, unknown>> {
  const set = (args.set ?? []).map((text) => parseSet(text, sampler, event));
  const unset = (args.unset ?? []).map((path) => sampler.fieldAt(event, path));
  const damages = (args.invalid ?? []).map(parseDamage);
  const damaged = damages.map((damage) => ({ damage, field: fieldOf(damage, sampler, event) }));

  const finish = (payload: Record<string, unknown>) => {
    for (const { path } of unset) removeField(payload, path);
    for (const { damage, field } of damaged) spoil(payload, damage, field);
    return payload;
  };
  const overrides = Object.fromEntries(set.map(({ text, value }) => [text, value]));
  const draw = (nth: number) => sampler.sample(event, { nth, overrides });
  if (args.raw === undefined && args.edit !== true) return (nth) => finish(draw(nth));

  let fixed = draw(0);
  if (args.raw !== undefined) {
    fixed = await readPayload(args.raw);
    for (const { field, text, value } of set) {
      if (writeField(fixed, field.path, value)) continue;
      throw new BusbarError('invalid-option', `"${args.raw}" has no place for "${text}".`);
    }
  }
  if (args.edit === true) {
    for (const { path } of unset) removeField(fixed, path);
    fixed = await editPayload(fixed, async (edited) => {
      if (args.validate) await requireValid(catalogue, event, edited);
    });
  }
  return () => finish(structuredClone(fixed));
}

function parseSet(
  argument: string,
  sampler: Sampler,
  event: CatalogueEvent,
): { readonly text: string; readonly field: Field; readonly value: unknown } {
  const separator = argument.indexOf('=');
  if (separator < 1) {
    const message = `Option "set" takes PATH=VALUE, as account_number=A-1B2C3D4E; "${argument.slice(0, 100)}" has no value.`;
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
function fieldOf({ kind, path }: Damage, sampler: Sampler, event: CatalogueEvent): Field | undefined {
  try {
    return sampler.fieldAt(event, path);
  } catch (error) {
    if (kind === 'extra') return undefined;
    throw error;
  }
}

function* occurrences(
  count: number,
  event: CatalogueEvent,
  {
    sampler,
    order,
    payloadOf,
  }: Pick<Target, 'sampler'> & {
    readonly order: ReturnType<typeof ordering>;
    readonly payloadOf: (nth: number) => Record<string, unknown>;
  },
): Generator<Occurred, void, void> {
  for (let nth = 0; nth < count; nth++) {
    const payload = payloadOf(nth);
    const account = readField(payload, ['account_number']);
    const key = typeof account === 'string' ? account : sampler.accountOf(nth);
    yield {
      at: sampler.instantOf(nth),
      cell: nth + 1,
      place: order.placeOf(nth + 1),
      number: 0,
      instance: 'trigger#1',
      step: 'trigger',
      occurrence: { type: event.type, key, versions: [{ version: event.version, payload }] },
    };
  }
}

/** Looks at each event before it is encoded: valid, unless it was asked to be otherwise. */
function checking(
  { invalid = [], validate }: TriggerArguments,
  { catalogue, event, encode }: Omit<Target, 'sampler'> & { readonly encode: Encoder },
): Encoder {
  const isDamaged = invalid.some((each) => !each.startsWith('extra:'));
  return async (occurred) => {
    const [version] = occurred.occurrence.versions;
    if (isDamaged) await requireInvalid(catalogue, event, version?.payload);
    else if (validate) await requireValid(catalogue, event, version?.payload);
    return encode(occurred);
  };
}

async function requireValid(catalogue: Catalogue, event: CatalogueEvent, payload: unknown): Promise<void> {
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

async function requireInvalid(catalogue: Catalogue, event: CatalogueEvent, payload: unknown): Promise<void> {
  const valid = await catalogue.validator(event);
  if (!valid(payload)) return;
  throw new BusbarError('invalid-option', `"${event.name}" is still valid after the damage of "--invalid".`);
}

/** The encoder refuses what is not valid; here that has been decided before. */
function accepting(catalogue: Catalogue): Catalogue {
  return { ...catalogue, loadedValidator: () => () => true };
}

function requireWhole(option: string, value: number, least: number, most: number): void {
  if (Number.isInteger(value) && value >= least && value <= most) return;
  throw new BusbarError(
    'invalid-option',
    `Option "${option}" takes a whole number from ${least} to ${most}.`,
  );
}
