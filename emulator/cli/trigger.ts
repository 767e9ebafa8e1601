import { boolean, BusbarError, nonEmptyText, systemClock, whole } from 'busbar/base';
import { eventNamed } from 'busbar/internal/catalogue';
import {
  catalogueFlag,
  type Console,
  defineCommand,
  eventArgument,
  flagsOf,
  type FlagTable,
} from 'busbar/internal/command-line';
import { ordering } from '../engine/identity.js';
import { instantPace } from '../engine/pacing.js';
import type { TimedOccurrence } from '../engine/simulation.js';
import { encoder } from '../run/encode.js';
import { inEnvelope } from '../run/in-envelope.js';
import { planOptions, triggerOptions } from '../run/options.js';
import { Run } from '../run/run.js';
import { occurring } from '../run/source.js';
import { createSampler } from '../samples/sampler.js';
import { check, type Target } from '../samples/build-payloads.js';
import { openSinks } from './open-sinks.js';
import { showRun } from './progress.js';
import { type SinkFlags, sinkFlags } from './run-flags.js';
import { type TriggerArguments, triggerRemote } from './trigger-remote.js';
import { payloads } from './trigger-payloads.js';

type TriggerFlags = Partial<Omit<TriggerArguments, 'name' | 'validate'>> &
  SinkFlags & { readonly noValidate?: boolean; readonly catalogue?: readonly string[] };

const payloadOptions = {
  count: { type: whole({ from: 1, to: 1_000_000 }), default: 1 },
  seed: planOptions.seed,
  edit: { type: boolean },
  raw: { type: nonEmptyText },
  accessTokenFile: { type: nonEmptyText },
  noValidate: { type: boolean },
};

const triggerFlags: FlagTable<TriggerFlags> = {
  ...sinkFlags,
  catalogue: catalogueFlag,
  ...flagsOf(
    { ...triggerOptions, ...payloadOptions, ...sinkFlags },
    {
      set: ['<field=value>', 'Set a field, e.g. account_number=A-1B2C3D4E', { adds: 'one' }],
      unset: ['<field>', 'Leave out a field', { adds: 'one' }],
      key: ['<text>', 'Partition key, instead of the key in the payload'],
      count: ['<n>', 'Number of events'],
      edit: ['', 'Change the payload in $EDITOR before sending'],
      raw: ['<file>', 'File with the payload, - for standard input'],
      invalid: ['<damage>', 'Damage: missing:FIELD, type:FIELD or extra:FIELD', { adds: 'one' }],
      noValidate: ['', 'Send invalid payloads'],
      seed: ['<n>', 'Same seed, same bytes', { key: 'world.seed' }],
      accessTokenFile: ['<file>', 'Access token of the emulator, or set BUSBAR_ACCESS_TOKEN'],
      to: ['<url>', 'A sink, emulator, or its address', { default: 'stdout' }],
    },
  ),
};

export const command = defineCommand({
  args: { name: { ...eventArgument, name: 'event' } },
  flags: triggerFlags,
  examples: [
    'trigger account.created-v1 --count 3',
    'trigger billing.final_bill-v1 --set account_number=A-1B2C3D4E --to emulator',
  ],
  run: trigger,
});

/** Runs `emulate trigger`: sends realistic events of one type, a second apart. */
async function trigger(flags: TriggerFlags & { readonly name: string }, console: Console): Promise<void> {
  const { to = ['stdout'], count = 1, seed = 1, noValidate = false, ...rest } = flags;
  const args: TriggerArguments = { count, seed, validate: !noValidate, ...rest };
  const { name } = args;
  const emulator = emulatorIn(to);
  if (emulator !== undefined) {
    const unused = ['envelope', 'brokers', 'topic', 'catalogue'].find(console.isTyped);
    if (unused !== undefined) {
      const message = `Option "--${unused}" has no effect with --to emulator. Give it to the running emulator.`;
      throw new BusbarError('invalid-option', message);
    }
    await triggerRemote(emulator, args, console);
    return;
  }
  const catalogue = await console.catalogue();
  const event = eventNamed(catalogue, name);
  const versions = catalogue.versionsOf(name);
  if (versions.length > 1) {
    const listed = versions.map((version) => `"${version}"`).join(', ');
    console.info(`emulate: "${name}" has ${listed}; this is "${event.name}".`);
  }
  const { start } = console.config.world ?? {};
  const sampler = await createSampler({ catalogue, seed, ...(start !== undefined && { start }) });
  const target = { catalogue, event, sampler };
  const payloadOf = await payloads(args, target);
  // `check` has validated the payloads.
  const encode = encoder({ ...catalogue, loadedValidator: () => () => true }, ordering(seed));

  const envelope = await console.envelope();
  const opening = { logger: console.logger, envelope, servers: ['emulator'] };
  const { sinks, stdout } = await openSinks({ ...flags, to }, opening);
  const run = new Run({
    source: occurring(occurrences(args, target, payloadOf), async (occurred) => {
      for (const { payload } of occurred.occurrence.versions) await check(args, target, payload);
      return encode(occurred);
    }),
    pace: instantPace,
    sinks: inEnvelope(sinks, envelope),
    clock: systemClock,
  });
  if (sinks.length === 1) stdout?.readerGone.addEventListener('abort', () => void run.stop());
  const hideProgress = showRun(run, console, stdout);
  try {
    await run.finished;
  } finally {
    hideProgress();
    for (const sink of sinks) await sink.close();
  }
}

/** Returns the address of the emulator in `--to`; undefined for other sinks. */
function emulatorIn(to: readonly string[]): string | undefined {
  const address = to.find((each) => each === 'emulator' || /^https?:/.test(each));
  if (address !== undefined && to.length > 1) {
    throw new BusbarError(
      'invalid-option',
      'An emulator cannot be combined with other sinks. Give one "--to".',
    );
  }
  if (address === undefined || address === 'emulator') return address && 'http://127.0.0.1:4100';
  const url = URL.canParse(address) ? new URL(address) : undefined;
  if (url?.username === '' && url.password === '') return address;
  // It may hold a password.
  const message = '"--to" must be the URL of an emulator without a user name, e.g. http://127.0.0.1:4100.';
  throw new BusbarError('invalid-option', message);
}

function* occurrences(
  { count, key: given, seed }: TriggerArguments,
  { event, sampler }: Target,
  payloadOf: (nth: number) => unknown,
): Generator<TimedOccurrence, void, void> {
  const order = ordering(seed);
  for (let nth = 0; nth < count; nth++) {
    const payload = payloadOf(nth);
    const key = given ?? sampler.keyOf(event, payload, nth);
    yield {
      at: sampler.instantOf(nth),
      cell: nth + 1,
      rank: order.rankOf(nth + 1),
      number: 0,
      instance: 'trigger#1',
      step: 'trigger',
      branches: {},
      occurrence: { type: event.type, key, versions: [{ version: event.version, payload }] },
    };
  }
}
