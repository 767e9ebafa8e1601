import { AssertionError } from 'node:assert';
import { isDeepStrictEqual } from 'node:util';
import type { EventType, PayloadOf, VersionOf } from '../../catalogue/index.js';
import { quoted } from '../../src/base/quoted.js';
import type { DeliverOptions, TestBench } from './bench.js';
import { differences } from './differences.js';
import type { Outcome } from './outcomes.js';
import { type Overrides } from './overrides.js';
import { sample } from './samples.js';

/** An event that is to be delivered. */
export interface TestEvent extends DeliverOptions {
  readonly type: string;
  readonly version: string;
  readonly payload: unknown;
}

/**
 * A sample of the event as something to deliver: for {@link given}.
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

/** What is delivered first, and must be handled. */
export interface Given {
  /** What is delivered then. Nothing happens before one of the expectations is called. */
  when(...events: readonly TestEvent[]): Expectations;
}

/** Each delivers what was given and what is to happen, lets every retry come, and rejects with an {@link ExpectationError}. */
export interface Expectations {
  /** Every event of `when` is handled; where it says so, after that many attempts. */
  thenHandled(effort?: { readonly attempts?: number }): Promise<void>;
  /** Every event of `when` is set aside; where it says so, with that error code. */
  thenDeadLettered(code?: string): Promise<void>;
  /** No handler gets any event of `when`; where it says so, for that reason. */
  thenSkipped(reason?: string): Promise<void>;
  /** `state` then answers what is expected, to the last field. The message says where it does not. */
  thenState<S>(state: () => S | Promise<S>, expected: S): Promise<void>;
}

/**
 * What an expectation that is not met rejects with; Vitest, Jest and node:test take it for an assertion. The message
 * holds names and pointers; a runner that shows differences finds the test's own states in `actual` and `expected`.
 */
export class ExpectationError extends AssertionError {
  override name = 'ExpectationError';
}

/**
 * Begins a sentence about the consumer on a bench.
 * @example
 * await given(bench, event('account.created', 'v1'))
 *   .when(event('lifecycle.leave-supplier.completed', 'v3'))
 *   .thenHandled();
 */
export function given(bench: TestBench, ...events: readonly TestEvent[]): Given {
  return { when: (...happening) => expectations(bench, events, happening) };
}

function expectations(
  bench: TestBench,
  before: readonly TestEvent[],
  happening: readonly TestEvent[],
): Expectations {
  async function deliver(events: readonly TestEvent[]): Promise<Outcome[]> {
    const first = bench.outcomes.length;
    for (const { type, version, payload, ...options } of events) {
      await bench.deliver(type as never, version as never, payload as never, options);
    }
    await bench.idle();
    return bench.outcomes.slice(first);
  }

  async function outcomes(): Promise<Outcome[]> {
    for (const outcome of await deliver(before)) {
      if (outcome.outcome !== 'handled') fail('Given', outcome, 'handled');
    }
    return deliver(happening);
  }

  async function all(wanted: Outcome['outcome'], reason?: string): Promise<Outcome[]> {
    const found = await outcomes();
    for (const outcome of found) {
      const isMet = outcome.outcome === wanted && (reason === undefined || outcome.reason === reason);
      if (!isMet) fail('When', outcome, wanted, reason);
    }
    return found;
  }

  return {
    async thenHandled({ attempts } = {}) {
      for (const outcome of await all('handled')) {
        if (attempts === undefined || outcome.attempts === attempts) continue;
        const message = `When ${nameOf(outcome)}: expected ${counted(attempts)}, but it was ${told(outcome)}.`;
        throw new ExpectationError({ message, actual: outcome.attempts, expected: attempts });
      }
    },
    async thenDeadLettered(code) {
      await all('dead-lettered', code);
    },
    async thenSkipped(reason) {
      await all('skipped', reason);
    },
    async thenState(state, expected) {
      await outcomes();
      const actual = await state();
      if (isDeepStrictEqual(actual, expected)) return;
      const places = differences(actual, expected).map((pointer) => JSON.stringify(pointer));
      const shown = places.slice(0, 5).join(', ') + (places.length > 5 ? ' and elsewhere' : '');
      const what = happening.map(({ type, version }) => quoted(`${type}-${version}`)).join(', ');
      throw new ExpectationError({
        message: `When ${what}: the state is another than expected at ${shown}.`,
        actual,
        expected,
      });
    },
  };
}

function fail(clause: string, outcome: Outcome, wanted: Outcome['outcome'], reason?: string): never {
  const because = reason === undefined ? '' : ` with ${quoted(reason)}`;
  throw new ExpectationError({
    message: `${clause} ${nameOf(outcome)}: expected it to be ${wanted}${because}, but it was ${told(outcome)}.`,
    actual: outcome.reason === undefined ? outcome.outcome : `${outcome.outcome}: ${outcome.reason}`,
    expected: reason === undefined ? wanted : `${wanted}: ${reason}`,
  });
}

function nameOf({ type, version }: Outcome): string {
  return type === undefined ? 'a record without a name' : quoted(`${type}-${version ?? '?'}`);
}

function told({ outcome, reason, handler, attempts }: Outcome): string {
  const why = reason === undefined ? '' : ` with ${quoted(reason)}`;
  const by = handler === undefined ? '' : ` by handler ${quoted(handler)}`;
  return `${outcome}${why}${by}${attempts === 0 ? '' : ` after ${counted(attempts)}`}`;
}

function counted(attempts: number): string {
  return attempts === 1 ? '1 attempt' : `${attempts} attempts`;
}
