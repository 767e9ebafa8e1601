import { setTimeout as pause } from 'node:timers/promises';
import type { Emulator, EmulatorOptions } from '../../../emulator/index.js';
import { createConsumer, silentLogger } from '../../../src/index.js';
import { reportOutcomes } from '../../../src/operations/report.js';
import { kafka } from '../../../src/transports/kafka/index.js';

/** A view of the dashboard in a realistic state. */
export interface ShownView {
  readonly name: string;
  readonly options: EmulatorOptions;
  readonly address: string;
  /** Selector of an element of the ready view. */
  readonly shown: string;
  /** Pattern of expected browser errors. */
  readonly expected?: RegExp;
  /** Number of steps of the run. Default 60. */
  readonly steps?: number;
  /** Starts a consumer next to the emulator, and returns a function that stops it. */
  readonly company?: (emulator: Emulator) => Promise<() => Promise<void>>;
  /** Lets seconds pass, whose course is part of the picture. */
  readonly history?: (emulator: Emulator) => Promise<void>;
}

const lively: EmulatorOptions = {
  scenario: ['house-move', 'billing-cycle', 'switch-loss'],
  instances: 4,
  seed: 3,
  faults: 'duplicate=6%,delay=6%:10m,drop=4%,invalid=4%',
};

/** Returns the transport of a group that reads all events of an emulator. */
export function transportOf(
  { bootstrapServers }: Pick<Emulator, 'bootstrapServers'>,
  groupId: string,
  clientId = groupId,
): ReturnType<typeof kafka> {
  return kafka({
    brokers: [bootstrapServers ?? ''],
    clientId,
    groupId,
    topics: ['platform.events'],
    fromBeginning: true,
    maxWait: 20,
    commitInterval: 50,
  });
}

/** Starts a consumer that handles some events, each in this number of milliseconds, and dead-letters others. */
async function billing({ bootstrapServers, url = '' }: Emulator, time = 0): Promise<() => Promise<void>> {
  const consumer = createConsumer({ logger: silentLogger });
  consumer.onMatching('billing.*', () => pause(time));
  consumer.onMatching(
    'lifecycle.*',
    () => {
      throw Object.assign(new TypeError('the ledger does not know this account'), { code: '23503' });
    },
    { retry: { attempts: 1 } },
  );
  const running = await consumer.run(transportOf({ bootstrapServers }, 'billing'), {
    observer: reportOutcomes({ consumer: 'billing', url }),
    ...(time > 0 && { concurrency: 1 }),
  });
  return () => running.stop();
}

/** Sends bursts of events, each of which takes a slow consumer seconds. */
async function sendBursts({ run }: Emulator): Promise<void> {
  for (let second = 0; second < 50; second++) {
    if (second % 16 === 0) run.step(second + 20);
    await pause(1_000);
  }
}

/** All views, for the tests and the screenshots of the documentation. */
export const views: readonly ShownView[] = [
  { name: 'start', options: { kafka: { port: 0 } }, address: '/', shown: '.offers li' },
  { name: 'live', options: lively, address: '/', shown: '.row' },
  { name: 'filtered', options: lively, address: '/?domains=lifecycle&text=GBR_GAS', shown: '.row' },
  { name: 'empty', options: lively, address: '/?text=nothing+has+this', shown: '.empty' },
  { name: 'event', options: lively, address: '/?event=9', shown: '.validity.good, .validity.bad' },
  {
    name: 'outcomes',
    options: { ...lively, kafka: { port: 0 } },
    address: '/?event=9',
    shown: '.steps',
    company: (emulator) => billing(emulator),
  },
  { name: 'journeys', options: lively, address: '/?view=journeys', shown: 'td' },
  { name: 'journey', options: lively, address: '/?view=journeys&customer=1', shown: '.moment.expected' },
  {
    name: 'what-if',
    options: lively,
    address: '/?view=journeys&customer=1&instead=house-move%231+outcome+cancelled',
    shown: '.futures li',
  },
  { name: 'accounts', options: lively, address: '/?view=world', shown: 'td' },
  {
    name: 'world',
    options: lively,
    steps: 400,
    address: '/?view=world&of=A-930440FE&at=2026-03-09T03:37:44.792Z',
    shown: '.member-mark',
  },
  {
    name: 'no-account',
    options: lively,
    address: '/?view=world&of=A-00000000',
    shown: '.empty',
    expected: /404/,
  },
  { name: 'choose', options: lively, address: '/?view=compose', shown: '.empty' },
  {
    name: 'compose',
    options: lively,
    address: '/?view=compose&compose=lifecycle.leave-supplier.completed-v3',
    shown: '.validity.good',
  },
  { name: 'run', options: lively, address: '/?view=run', shown: '#branch-occupier' },
  {
    name: 'consumers',
    options: { ...lively, kafka: { port: 0 } },
    address: '/?view=consumers',
    shown: '.letter',
    company: (emulator) => billing(emulator, 250),
    history: sendBursts,
  },
  {
    name: 'no-consumers',
    options: { ...lively, kafka: { port: 0 } },
    address: '/?view=consumers',
    shown: '.connect',
  },
  {
    name: 'span',
    options: lively,
    address: `/?from=${Date.parse('2026-03-02')}&to=${Date.parse('2026-03-04')}`,
    shown: '.timeline-span',
  },
];
