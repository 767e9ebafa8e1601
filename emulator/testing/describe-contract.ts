import { BusbarError, number, objectWith, type OptionTable, readOptions } from 'busbar/base';
import { checksInProcess, chosenOf } from './checks/index.js';
import { ExpectationError } from './given.js';
import { type ConsumerSource, type VerifyOptions, verifyOptions } from './verify/contract.js';
import { formatCause } from './report/text.js';
import { causesOf } from './verify/causes.js';
import type { Subject } from './verify/subject.js';
import { openSubject, resultsOf } from './verify-consumer.js';

/** The functions of a test runner: `node:test`, Vitest and Jest have them. */
export interface TestRunner {
  readonly describe: (name: string, define: () => void) => unknown;
  /** Registers a test. A runner without timeouts ignores `timeout`, in milliseconds. */
  readonly it: (name: string, test: () => Promise<void>, timeout: number) => unknown;
}

/** Options of {@link describeContract}. */
export interface DescribeOptions extends VerifyOptions {
  /** Test runner. Default: the global `describe` and `it`. */
  readonly runner?: TestRunner;
  /** Timeout of each check, in milliseconds. Default 60,000. */
  readonly timeout?: number;
}

const describeOptions = {
  ...verifyOptions,
  runner: { type: objectWith('an object with "describe" and "it"', 'describe', 'it') },
  timeout: { type: number({ above: 0 }), default: 60_000, unit: 'milliseconds' },
} satisfies OptionTable<DescribeOptions>;

/**
 * Registers each check of {@link verifyConsumer} as a test. A check with findings fails its test with an
 * {@link ExpectationError} that lists them.
 * @throws BusbarError `invalid-option` for an unknown check, or without a runner
 * @example
 * describeContract(consumer, { observe: () => state, reset: () => state.clear() });
 */
export function describeContract(consumer: ConsumerSource, options: DescribeOptions = {}): void {
  const settings = readOptions('describeContract()', describeOptions, options);
  const { runner = globalRunner(), timeout } = settings;
  const wanted = chosenOf(checksInProcess, options.only);
  // A runner may run any subset of the tests, so none closes the subject. It doesn't keep the process alive.
  let opened: Promise<Subject> | undefined;
  runner.describe('contract with the platform', () => {
    for (const check of wanted) {
      const test = async () => {
        const results = await resultsOf(check, await (opened ??= openSubject(consumer, options)));
        const failed = results.flatMap(({ finding }) => (finding?.status === 'failed' ? [finding] : []));
        if (failed.length === 0) return;
        const message = causesOf(failed)
          .map((cause) => formatCause(cause).join('\n'))
          .join('\n');
        throw new ExpectationError({ message });
      };
      runner.it(`${check.name}: ${check.title}`, test, timeout);
    }
  });
}

function globalRunner(): TestRunner {
  const { describe, it } = globalThis as Partial<TestRunner>;
  if (typeof describe === 'function' && typeof it === 'function') return { describe, it };
  const message =
    'describeContract() found no global "describe" and "it". Pass those of your runner: { runner: { describe, it } }.';
  throw new BusbarError('invalid-option', message);
}
