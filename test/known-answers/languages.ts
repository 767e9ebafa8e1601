import { verifyConsumer } from '../../emulator/testing/index.js';
import type { Cause } from '../../emulator/testing/verify/causes.js';
import { type BillsClass, moduleOf } from './node/bills.js';
import { bugs } from './node/bugs.js';
import { variants } from './node/variants.js';
import { type Command, prepareGo, prepareJava, preparePython, verifyOverWire } from './over-the-wire.js';
import type { BugName, VariantName } from './services.js';

export interface Language {
  /** Names of its services. */
  readonly services: readonly string[];
  /** Builds the services. Returns a function that verifies one of them. @throws {Unavailable} */
  prepare(): Promise<Verify>;
}

/** Returns the causes of a service. */
export type Verify = (service: string, seed: number) => Promise<readonly Cause[]>;

const inProcess: Readonly<Record<string, BillsClass>> = { ...bugs, ...variants };

/** Node in process, and the others over the wire. */
export const languages: Readonly<Record<string, Language>> = {
  node: {
    services: Object.keys(inProcess),
    prepare: async () => async (service, seed) => {
      const { consumer, contract } = moduleOf(inProcess[service]!);
      return (await verifyConsumer(consumer, { ...contract, seed })).causes;
    },
  },
  python: overTheWire('python', preparePython, [
    'adds-on-every-delivery',
    'commits-before-work',
    'auto-commit-with-a-batch',
    'marks-in-another-transaction',
    'remembers-in-memory',
    'stops-at-a-broken-record',
    'counts-both-versions',
    'counts-by-local-day',
    'takes-an-outage-for-not-found',
    'skips-after-ten-attempts',
    'inbox-in-one-transaction',
    'generated-columns',
    'batches',
    'commits-by-timer',
    'exits-on-errors',
    'durable-outbox',
  ]),
  java: overTheWire('java', prepareJava, [
    'commits-before-work',
    'stops-at-a-broken-record',
    'counts-both-versions',
    'inbox-in-one-transaction',
    'static-membership',
  ]),
  go: overTheWire('go', prepareGo, [
    'marks-in-another-transaction',
    'remembers-in-memory',
    'takes-an-outage-for-not-found',
    'inbox-in-one-transaction',
    'commits-by-timer',
  ]),
};

function overTheWire(
  name: string,
  build: () => Promise<Command>,
  services: readonly (BugName | VariantName)[],
): Language {
  return {
    services,
    prepare: async () => {
      const command = await build();
      return (service, seed) => verifyOverWire(name, command, service, seed);
    },
  };
}
