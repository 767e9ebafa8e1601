import type { Argv, InferredOptionTypes } from 'yargs';
import { type Catalogue, type CatalogueEvent, openCatalogue } from '../../catalogue/index.js';
import { systemClock } from '../../src/base/clock.js';
import { BusbarError } from '../../src/base/errors.js';
import { quoted } from '../../src/base/quoted.js';
import { ordering } from '../engine/identity.js';
import { instantPace } from '../engine/pacing.js';
import type { Occurred } from '../engine/simulation.js';
import { encoder } from '../run/encode.js';
import { startRun } from '../run/run.js';
import { occurring } from '../run/source.js';
import { createSampler } from '../samples/sampler.js';
import { check, type Target } from '../samples/to-order.js';
import { openSinks } from './open-sinks.js';
import { triggerThere } from './trigger-there.js';
import { sendOptions } from './send-options.js';
import { payloads, type PayloadArguments } from './trigger-payloads.js';

export interface TriggerArguments extends PayloadArguments, InferredOptionTypes<typeof wayOptions> {
  readonly name: string;
  readonly count: number;
  readonly seed: number;
  readonly key?: string | undefined;
}

/** Where triggered events can go: wherever a run goes but to servers of its own. */
const {
  file,
  'webhook-url': webhookUrl,
  'webhook-secret-file': webhookSecretFile,
  brokers,
  'kafka-ssl': kafkaSsl,
  'kafka-sasl': kafkaSasl,
  topic,
} = sendOptions;
const wayOptions = {
  'access-token-file': {
    type: 'string',
    requiresArg: true,
    describe: 'A file with the access token of the emulator in --to; or set BUSBAR_ACCESS_TOKEN',
  },
  to: {
    type: 'string',
    array: true,
    requiresArg: true,
    default: ['stdout'],
    describe: 'Where to: stdout, file, webhook, kafka; emulator, or the address of one that runs',
  },
  file,
  'webhook-url': webhookUrl,
  'webhook-secret-file': webhookSecretFile,
  brokers,
  'kafka-ssl': kafkaSsl,
  'kafka-sasl': kafkaSasl,
  topic,
} as const;

/** The options of `emulate trigger`. */
export function triggerOptions(command: Argv): Argv<TriggerArguments> {
  const list = { type: 'string', array: true, nargs: 1, requiresArg: true } as const;
  return command
    .positional('name', { type: 'string', demandOption: true, describe: 'As in "busbar catalogue list"' })
    .option('set', { ...list, describe: 'A value: account_number=A-1B2C3D4E' })
    .option('unset', { ...list, describe: 'A field to leave out' })
    .option('key', {
      type: 'string',
      requiresArg: true,
      describe: 'Partition key (what the payload is about)',
    })
    .option('count', { type: 'number', requiresArg: true, default: 1, describe: 'How many' })
    .option('edit', { type: 'boolean', describe: 'Change the payload in $EDITOR before it is sent' })
    .option('raw', { type: 'string', requiresArg: true, describe: 'A file with the payload' })
    .option('invalid', { ...list, describe: 'Damage: missing:FIELD, type:FIELD or extra:FIELD' })
    .option('validate', { type: 'boolean', default: true, describe: '--no-validate sends what is not valid' })
    .option('seed', { type: 'number', requiresArg: true, default: 1, describe: 'Same seed, same bytes' })
    .options(wayOptions)
    .example(
      "$0 trigger lifecycle.leave-supplier.completed-v3 --set account_number=A-1B2C3D4E --set 'supply_points[0].market_name=GBR_GAS'",
      'a leave about that account and its gas',
    );
}

/** `emulate trigger`: realistic events of one kind, as many as wanted, each a second after the one before. */
export async function trigger(args: TriggerArguments): Promise<void> {
  const emulator = emulatorIn(args.to);
  if (emulator !== undefined) {
    await triggerThere(emulator, args);
    return;
  }
  requireWhole('seed', args.seed, Number.MIN_SAFE_INTEGER, Number.MAX_SAFE_INTEGER);
  requireWhole('count', args.count, 1, 1_000_000);
  const catalogue = openCatalogue();
  const event = findEvent(catalogue, args.name);
  const sampler = await createSampler({ catalogue, seed: args.seed });
  const target = { catalogue, event, sampler };
  const payloadOf = await payloads(args, target);
  const encode = encoder(accepting(catalogue), ordering(args.seed));

  const order = ordering(args.seed);
  const { sinks, stdout } = await openSinks({ ...args, to: args.to.map(way) }, false);
  const run = startRun({
    source: occurring(occurrences(args, event, { sampler, order, payloadOf }), async (occurred) => {
      for (const { payload } of occurred.occurrence.versions) await check(args, target, payload);
      return encode(occurred);
    }),
    pace: instantPace,
    sinks,
    clock: systemClock,
  });
  if (sinks.length === 1) stdout?.readerGone.addEventListener('abort', () => void run.stop());
  try {
    await run.finished;
  } finally {
    for (const sink of sinks) await sink.close();
  }
}

const ways = ['stdout', 'file', 'webhook', 'kafka'] as const;

/** Where the emulator is that the event goes into; undefined where it goes elsewhere. */
function emulatorIn(to: readonly string[]): string | undefined {
  const address = to.find((each) => each === 'emulator' || /^https?:/.test(each));
  if (address !== undefined && to.length > 1) {
    throw new BusbarError('invalid-option', 'What goes into an emulator goes nowhere else: name one "--to".');
  }
  return address === 'emulator' ? 'http://127.0.0.1:4100' : address;
}

function way(to: string): (typeof ways)[number] {
  const found = ways.find((each) => each === to);
  if (found !== undefined) return found;
  const message = `Option "to" is one of ${ways.join(', ')}, emulator, or an address, not ${quoted(to)}.`;
  throw new BusbarError('invalid-option', message);
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

function* occurrences(
  { count, key: given }: Pick<TriggerArguments, 'count' | 'key'>,
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
    const key = given ?? sampler.keyOf(event, payload, nth);
    yield {
      at: sampler.instantOf(nth),
      cell: nth + 1,
      place: order.placeOf(nth + 1),
      number: 0,
      instance: 'trigger#1',
      step: 'trigger',
      branches: {},
      occurrence: { type: event.type, key, versions: [{ version: event.version, payload }] },
    };
  }
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
