import { AssertionError } from 'node:assert';
import { isDeepStrictEqual } from 'node:util';
import { quoted } from 'busbar/base';
import type { EventType, PayloadOf, VersionOf } from 'busbar/catalogue';
import type { DeliverOptions, TestBench } from './bench.js';
import { differences, listed } from './differences.js';
import type { Outcome } from './outcomes.js';
import { type Overrides } from './overrides.js';
import { sample } from './samples.js';

/** An event for a test bench to deliver. */
export interface TestEvent extends DeliverOptions {
  readonly type: string;
  readonly version: string;
  readonly payload: unknown;
}

/**
 * Returns a sample of the event for {@link given} to deliver.
 * @throws BusbarError as {@link sample}
 */
export function event<T extends EventType, V extends VersionOf<T>>(
  type: T,
  version: V,
  overrides?: Overrides<PayloadOf<T, V>>,
  options: DeliverOptions = {},
): TestEvent {
  return { ...options, type, version, payload: sample(type, version, overrides) };
}

/** The first half of a test: the consumer must handle these events. */
export interface Given {
  /** Adds the events to test. Nothing is delivered before you call an expectation. */
  when(...events: readonly TestEvent[]): Expectations;
}

/** Expectations about the events of `when`. Each delivers all events, waits for retries, and rejects with an {@link ExpectationError}. */
export interface Expectations {
  /** Asserts that every event is handled, after `attempts` attempts if set. */
  thenHandled(effort?: { readonly attempts?: number }): Promise<void>;
  /** Asserts that every event is dead-lettered, with this error code if set. */
  thenDeadLettered(code?: string): Promise<void>;
  /** Asserts that no handler receives the events, for this reason if set. */
  thenSkipped(reason?: string): Promise<void>;
  /** Asserts that `state` returns a value deeply equal to `expected`. The message names the pointers that differ. */
  thenState<S>(state: () => S | Promise<S>, expected: S): Promise<void>;
}

/**
 * Error of a failed expectation, which Vitest, Jest and node:test treat as an assertion. The message has names and
 * pointers; `actual` and `expected` have the states that a runner compares.
 */
export class ExpectationError extends AssertionError {
  override name = 'ExpectationError';
}

/**
 * Starts a test of the consumer on a bench with events that it must handle first.
 * @example
 * await given(bench, event('account.created', 'v1'))
 *   .when(event('lifecycle.leave-supplier.completed', 'v3'))
 *   .thenHandled();
 */
export function given(bench: TestBench, ...events: readonly TestEvent[]): Given {
  return { when: (...tested) => expectations(bench, events, tested) };
}

function expectations(
  bench: TestBench,
  before: readonly TestEvent[],
  tested: readonly TestEvent[],
): Expectations {
  async function deliver(events: readonly TestEvent[]): Promise<Outcome[]> {
    const first = bench.results.length;
    for (const { type, version, payload, ...options } of events) {
      await bench.deliver(type as never, version as never, payload as never, options);
    }
    await bench.idle();
    return bench.results.slice(first);
  }

  async function deliverAll(): Promise<Outcome[]> {
    for (const outcome of await deliver(before)) {
      if (outcome.outcome !== 'handled') fail('Given', outcome, 'handled');
    }
    return deliver(tested);
  }

  async function expectAll(expected: Outcome['outcome'], reason?: string): Promise<Outcome[]> {
    const results = await deliverAll();
    for (const result of results) {
      const isMet = result.outcome === expected && (reason === undefined || result.reason === reason);
      if (!isMet) fail('When', result, expected, reason);
    }
    return results;
  }

  return {
    async thenHandled({ attempts } = {}) {
      for (const outcome of await expectAll('handled')) {
        if (attempts === undefined || outcome.attempts === attempts) continue;
        const message = `When ${nameOf(outcome)}: expected ${counted(attempts)}, but it was ${describeOutcome(outcome)}.`;
        throw new ExpectationError({ message, actual: outcome.attempts, expected: attempts });
      }
    },
    async thenDeadLettered(code) {
      await expectAll('dead-lettered', code);
    },
    async thenSkipped(reason) {
      await expectAll('skipped', reason);
    },
    async thenState(state, expected) {
      await deliverAll();
      const actual = await state();
      if (isDeepStrictEqual(actual, expected)) return;
      const shown = listed(differences(actual, expected));
      const names = tested.map(({ type, version }) => quoted(`${type}-${version}`)).join(', ');
      throw new ExpectationError({
        message: `When ${names}: the state differs from the expected one at ${shown}.`,
        actual,
        expected,
      });
    },
  };
}

function fail(clause: string, outcome: Outcome, expected: Outcome['outcome'], reason?: string): never {
  const because = reason === undefined ? '' : ` with ${quoted(reason)}`;
  throw new ExpectationError({
    message: `${clause} ${nameOf(outcome)}: expected it to be ${expected}${because}, but it was ${describeOutcome(outcome)}.`,
    actual: outcome.reason === undefined ? outcome.outcome : `${outcome.outcome}: ${outcome.reason}`,
    expected: reason === undefined ? expected : `${expected}: ${reason}`,
  });
}

function nameOf({ type, version }: Outcome): string {
  return type === undefined ? 'a record without a name' : quoted(`${type}-${version ?? '?'}`);
}

function describeOutcome({ outcome, reason, handler, attempts }: Outcome): string {
  const why = reason === undefined ? '' : ` with ${quoted(reason)}`;
  const by = handler === undefined ? '' : ` by handler ${quoted(handler)}`;
  return `${outcome}${why}${by}${attempts === 0 ? '' : ` after ${counted(attempts)}`}`;
}

function counted(attempts: number): string {
  return attempts === 1 ? '1 attempt' : `${attempts} attempts`;
}
