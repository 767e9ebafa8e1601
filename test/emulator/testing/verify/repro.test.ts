import {
  type ConsumerSource,
  type ContractOptions,
  readRepro,
  replayFailure,
  verifyConsumer,
} from 'busbar-emulator/testing';
import { describe, expect, it } from 'vitest';
import { playsAll } from '../../../cases.js';
import { lookUp } from './look-up.js';
import { clockThatLeaps, consumerOf, type Define, rightConsumer, skipping } from './verifying.js';

const created = 'account.created';
const agreed = 'agreement.created';

/** Defines handlers of two events of a house move, the first with a fault. */
const wrongAt =
  (define: Define): Define =>
  (consumer, state) => {
    consumer.on(agreed, 'v1', ({ payload }) => void state.set(payload.agreement_id.toString(), true));
    define(consumer, state);
  };

const failures: readonly (readonly [check: string, define: Define, deliveries: readonly string[]])[] = [
  [
    'mutation',
    (consumer) =>
      consumer.on(created, 'v1', ({ payload }) => {
        if ('unknown_text' in payload) (payload as { account_number: string }).account_number = 'changed';
      }),
    ['"account.created-v1" (unknown fields)'],
  ],
  [
    'rejections',
    (consumer) =>
      consumer.on(created, 'v1', ({ payload }) => {
        if ('unknown_text' in payload) void Promise.reject(new TypeError('lost'));
      }),
    ['"account.created-v1" (unknown fields)'],
  ],
  ['retries', skipping, ['"account.created-v1" (handler fails)']],
  [
    'dependencies',
    (consumer, state) =>
      consumer.on(created, 'v1', ({ payload }) => {
        try {
          state.set('account', payload.account_number);
        } catch {
          // It was in the log.
        }
      }),
    ['"account.created-v1" (error at "account_number")'],
  ],
  [
    'leaks',
    (consumer) => {
      const kept: unknown[] = [];
      consumer.on(created, 'v1', (event) => void kept.push(event));
    },
    ['"account.created-v1"'],
  ],
];

/** Verifies a consumer, and replays the failure with the same and with a correct consumer. */
async function failureOf(check: string, wrong: Verified, right: Verified) {
  const { causes } = await verifyConsumer(wrong.make, { ...wrong.contract, only: [check] });
  const { repro } = causes.find(({ status }) => status === 'failed')!.shown;
  const kept = readRepro(repro!.file, repro!.content);
  return {
    deliveries: repro!.deliveries,
    again: await replayFailure(wrong.make, kept, wrong.contract),
    right: await replayFailure(right.make, kept, right.contract),
  };
}

interface Verified {
  readonly make: ConsumerSource;
  readonly contract: ContractOptions;
}

function verified(define: Define): Verified {
  const { make, observe } = consumerOf(define);
  return { make, contract: { observe, scenarios: ['house-move'] } };
}

describe('replayFailure()', () => {
  // The check "leaks" takes thousands of deliveries for each question.
  const quick = failures.filter(([check]) => check !== 'leaks');
  it.each(playsAll ? failures : quick)(
    'replays a shrunk failure of %s',
    async (check, define, deliveries) => {
      const failure = await failureOf(check, verified(wrongAt(define)), verified(rightConsumer));
      expect(failure.deliveries).toEqual(deliveries);
      expect(failure.again).toMatchObject({ name: check, status: 'failed' });
      expect(failure.right).toMatchObject({ status: 'passed' });
    },
  );

  it.runIf(playsAll)('replays a leak on a slow machine', async () => {
    clockThatLeaps();
    const [check, define, deliveries] = failures.find(([name]) => name === 'leaks')!;
    const failure = await failureOf(check, verified(wrongAt(define)), verified(rightConsumer));
    expect(failure.deliveries).toEqual(deliveries);
  });

  it('replays a failure that only shows after work that nothing awaits', async () => {
    const store = async (state: Map<string, unknown>, payload: { readonly account_number: string }) => {
      for (let turn = 0; turn < 30; turn++) await new Promise(setImmediate);
      state.set('last', payload.account_number);
    };
    const wrong: Define = (consumer, state) =>
      consumer.on(created, 'v1', ({ payload }) => void store(state, payload));
    const { make, contract } = verified(wrong);
    const { causes } = await verifyConsumer(make, { ...contract, only: ['floating', 'dependencies'] });
    expect(causes).toMatchObject([{ diagnosis: 'work-floats', checks: ['floating', 'dependencies'] }]);
    const failure = readRepro('', causes[0]!.shown.repro!.content);
    expect(await replayFailure(make, failure, contract)).toMatchObject({ status: 'failed' });
    const faults = ['error at "account_number"'];
    const deliveries = failure.deliveries.map((each) => ({ ...each, faults }));
    const other = { ...failure, check: 'dependencies', deliveries };
    expect(await replayFailure(make, other, contract)).toMatchObject({ status: 'failed' });
    const atOnce = { ...other, lingers: false };
    expect(await replayFailure(make, atOnce, contract)).toMatchObject({ status: 'passed' });
  });

  it('replays a failure of platform', async () => {
    const failure = await failureOf('platform', lookUp({ isCareful: false }), lookUp({ isCareful: true }));
    expect(failure.deliveries).toEqual(['"account.created-v1" (REST API answers 503)']);
    expect(failure.again).toMatchObject({ status: 'failed' });
    expect(failure.right).toMatchObject({ status: 'passed' });
  });

  it('replays a failure next to a hanging handler', async () => {
    const { make } = consumerOf((consumer) => {
      consumer.on(created, 'v1', () => new Promise(() => undefined));
      consumer.on(agreed, 'v1', ({ payload }) => {
        (payload as { agreement_id: number }).agreement_id = 1;
      });
    });
    const contract: ContractOptions = { handlerTimeout: 50, scenarios: [] };
    const { causes } = await verifyConsumer(make, { ...contract, only: ['samples', 'mutation'] });
    expect(causes.map(({ shown }) => [shown.check, shown.repro?.deliveries])).toEqual([
      ['samples', ['"account.created-v1"']],
      ['mutation', ['"agreement.created-v1"']],
    ]);
  });
});
