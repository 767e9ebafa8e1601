import { type Consumer, createConsumer, idempotent, memoryStore, silentLogger } from 'busbar';
import { type CheckResult, type VerifyOptions, verifyConsumer } from 'busbar/testing';
import { vi } from 'vitest';

export type State = Map<string, unknown>;
export type Define = (consumer: Consumer, state: State) => void;

/** A consumer that keeps its state in a map, made anew for each exercise. */
export function consumerOf(define: Define) {
  let state: State = new Map();
  return {
    make: () => {
      state = new Map();
      const consumer = createConsumer({ logger: silentLogger });
      define(consumer, state);
      return consumer;
    },
    observe: () => state,
  };
}

/** What the check of that name finds out about such a consumer. */
export async function findings(
  name: string,
  define: Define,
  options: VerifyOptions = {},
): Promise<readonly CheckResult[]> {
  const { make, observe } = consumerOf(define);
  const defaults = { observe, scenarios: ['house-move'], runs: 10 };
  return (await verifyConsumer(make, { ...defaults, ...options, only: [name] })).checks;
}

/** Between two looks at the clock a minute passes, as on a machine that has much else to do. */
export function clockThatLeaps(): void {
  let now = 0;
  vi.spyOn(performance, 'now').mockImplementation(() => (now += 60_000));
}

/** Keeps who has an account, and since when each agreement is valid. Each event is handled once. */
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

/** Counts accounts, those that come twice, too. */
export const counting: Define = (consumer, state) => {
  consumer.on(
    'account.created',
    'v1',
    () => void state.set('n', ((state.get('n') as number | undefined) ?? 0) + 1),
  );
};

/** Skips what fails, as an observer of its own that catches everything would. */
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
