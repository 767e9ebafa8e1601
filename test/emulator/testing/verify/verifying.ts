import { type Consumer, type ConsumerOptions, createConsumer, silentLogger } from 'busbar';
import { idempotent, memoryStore } from 'busbar/idempotency';
import {
  type CheckResult,
  type ConsumerSource,
  type Finding,
  type VerifyOptions,
  verifyConsumer,
} from 'busbar-emulator/testing';
import { vi } from 'vitest';

export type State = Map<string, unknown>;
export type Define = (consumer: Consumer, state: State) => void;

/** Returns a source of consumers with a state in a map, fresh for each exercise. */
export function consumerOf(define: Define) {
  let state: State = new Map();
  return {
    make: makerOf((consumer) => define(consumer, (state = new Map<string, unknown>()))),
    observe: () => state,
  };
}

/** Returns a function that makes consumers with these handlers. */
export function makerOf(define: (consumer: Consumer) => void, options: ConsumerOptions = {}) {
  return () => {
    const consumer = createConsumer({ logger: silentLogger, ...options });
    define(consumer);
    return consumer;
  };
}

/** A result of a check, with the finding of its cause. */
export type Result = CheckResult & { readonly finding?: Finding | undefined };

/** Runs one check on a consumer of {@link consumerOf}. */
export async function findings(
  name: string,
  define: Define,
  options: VerifyOptions = {},
): Promise<readonly Result[]> {
  const { make, observe } = consumerOf(define);
  const defaults = { observe, scenarios: ['house-move'], runs: 10 };
  return resultsOf(make, { ...defaults, ...options, only: [name] });
}

/** Returns the results of a verification, each with the finding of its cause. */
export async function resultsOf(make: ConsumerSource, options: VerifyOptions): Promise<readonly Result[]> {
  const { checks, causes } = await verifyConsumer(make, options);
  return checks.map((each) => ({ ...each, finding: causes.find(({ id }) => id === each.cause)?.shown }));
}

/** Makes a minute pass between two reads of the clock, as on a busy machine. */
export function clockThatLeaps(): void {
  let now = 0;
  vi.spyOn(performance, 'now').mockImplementation(() => (now += 60_000));
}

/** Stores account holders and the start of agreements. Handles each event once. */
export const rightConsumer: Define = (consumer, state) => {
  consumer.use(idempotent({ store: memoryStore() }));
  const entry = (account: string) => state.get(account) ?? {};
  consumer.on('account.created', 'v1', ({ payload }) => {
    state.set(payload.account_number, {
      ...entry(payload.account_number),
      imported: payload.is_imported ?? null,
    });
  });
  consumer.on('agreement.created', 'v1', async ({ payload }) => {
    await Promise.resolve();
    const since = Date.parse(payload.valid_from);
    state.set(`agreement ${payload.agreement_id}`, {
      account: payload.account_number,
      since: Number.isNaN(since) ? null : since,
      contract: payload.account_contract_identifier ?? null,
    });
  });
  consumer.on('lifecycle.leave-supplier.completed', 'v3', ({ payload }) => {
    state.set(payload.account_number, { ...entry(payload.account_number), left: true });
  });
};

/** Counts accounts, duplicates included. */
export const counting: Define = (consumer, state) => {
  consumer.on('account.created', 'v1', () => increment(state, 'n'));
};

/** Adds one to a number in the state. */
export function increment(state: State, name: string): void {
  state.set(name, Number(state.get(name) ?? 0) + 1);
}

/** Skips failed events, like a middleware that catches everything. */
export const skipping: Define = (consumer) => {
  const { run } = consumer;
  consumer.on('account.created', 'v1', () => undefined);
  consumer.run = (transport, options) =>
    run(transport, {
      ...options,
      observer: {
        around: (event, context, handle) => {
          try {
            for (const each of [options?.observer ?? []].flat()) void each.around?.(event, context, handle);
          } catch {
            // Nothing to see here.
          }
        },
        settled: (...given) => [options?.observer ?? []].flat().forEach((each) => each.settled?.(...given)),
      },
    });
};
