import { number, objectWith, type OptionTable, readOptions } from '../../../src/base/options.js';
import { BusbarError } from '../../../src/base/errors.js';
import { ExpectationError } from '../given.js';
import { type ConsumerSource, type VerifyOptions, verifyOptions } from './contract.js';
import type { CheckResult } from './report.js';
import type { Subject } from './subject.js';
import { openSubject, resultsOf, wantedChecks } from './verify-consumer.js';

/** What a test runner has for it; `node:test`, Vitest and Jest all do. */
export interface TestRunner {
  readonly describe: (name: string, define: () => void) => unknown;
  /** The third argument is the time that it may take, in milliseconds; a runner that has none leaves it alone. */
  readonly it: (name: string, test: () => Promise<void>, timeout: number) => unknown;
}

export interface DescribeOptions extends VerifyOptions {
  /** Default: the global `describe` and `it`. */
  readonly runner?: TestRunner;
  /** How long one check may take, in milliseconds. Default 60,000. */
  readonly timeout?: number;
}

const describeOptions = {
  ...verifyOptions,
  runner: { type: objectWith('an object with "describe" and "it"', 'describe', 'it') },
  timeout: { type: number({ above: 0 }), default: 60_000, unit: 'milliseconds' },
} satisfies OptionTable<DescribeOptions>;

/**
 * Registers the checks of {@link verifyConsumer} as tests, one each. A check that finds something fails its test with
 * an {@link ExpectationError} that lists all of it.
 * @throws BusbarError `invalid-option` for a check that does not exist, or where there is no runner
 * @example
 * describeContract(consumer, { observe: () => state, reset: () => state.clear() });
 */
export function describeContract(consumer: ConsumerSource, options: DescribeOptions = {}): void {
  const settings = readOptions('describeContract()', describeOptions, options);
  const { runner = globalRunner(), timeout } = settings;
  const wanted = wantedChecks(options);
  // No test is known to be the last, as a runner may be told to run some of them alone: what is opened stays open, but
  // keeps nothing from the runner, and does not keep its process.
  let opened: Promise<Subject> | undefined;
  runner.describe('contract with the platform', () => {
    for (const check of wanted) {
      const test = async () => {
        const results = await resultsOf(check, await (opened ??= openSubject(consumer, options)));
        const failed = results.filter(({ status }) => status === 'failed');
        if (failed.length > 0) throw new ExpectationError({ message: failed.map(told).join('\n') });
      };
      runner.it(`${check.name}: ${check.title}`, test, timeout);
    }
  });
}

function told({ subject, reason = '', repro }: CheckResult): string {
  const shown = repro === undefined ? '' : ` Delivered: ${repro.deliveries.join(', ')}.`;
  return `${subject}: ${reason}${shown}`;
}

function globalRunner(): TestRunner {
  const { describe, it } = globalThis as Partial<TestRunner>;
  if (typeof describe === 'function' && typeof it === 'function') return { describe, it };
  const message =
    'describeContract(): there is no global "describe" and "it". Give those of your runner: { runner: { describe, it } }.';
  throw new BusbarError('invalid-option', message);
}
