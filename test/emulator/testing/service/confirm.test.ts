import { afterEach, expect, it, vi } from 'vitest';
import type { Experiment } from '../../../../emulator/testing/service/experiment.js';
import { Budget } from '../../../../emulator/testing/service/budget.js';
import { verdictOn } from '../../../../emulator/testing/service/confirm.js';
import type { ServiceSetup } from '../../../../emulator/testing/service/copies.js';
import { Restless } from '../../../../emulator/testing/service/quiet.js';
import { Trials, type Wrong } from '../../../../emulator/testing/service/trials.js';
import type { ServiceWorld } from '../../../../emulator/testing/service/world.js';
import { type Delivery, sentEvent, untouched } from '../../../../emulator/testing/verify/delivery.js';

afterEach(() => vi.restoreAllMocks());

const wrong: Wrong = { differences: [], isMet: true, exits: [], redelivered: new Set(), inHand: [] };

/** Returns the verdict on a suspect at the end of the budget, and the number of further runs that it did not need. */
async function verdictAfterBudget(second: Budget, runs: readonly (Wrong | undefined)[], isWarning = false) {
  const spent = new Budget(0);
  const trials = new Trials({ budget: spent } as ServiceSetup, {} as ServiceWorld);
  const left = [...runs];
  vi.spyOn(Trials.prototype, 'wrongWith').mockImplementation(() => Promise.resolve(left.shift()));
  const experiment = { label: 'delivered twice', about: 'bill-v1', deliveries: [], isWarning };
  const { status } = await verdictOn(trials, 'duplicates', { experiment, status: 'suspect' }, {}, second);
  return { status, left: left.length };
}

it('runs a suspect again after the budget, and passes a build if it is right', async () => {
  const verdict = await verdictAfterBudget(new Budget(), [undefined, undefined]);
  expect(verdict).toEqual({ status: 'unconfirmed', left: 0 });
});

it('suspects what shows again after the budget, or cannot be run again', async () => {
  expect(await verdictAfterBudget(new Budget(), [wrong, undefined])).toEqual({
    status: 'suspected',
    left: 1,
  });
  expect(await verdictAfterBudget(new Budget(0), [undefined])).toEqual({ status: 'suspected', left: 1 });
});

it('cuts what would only be pointed out, and suspects it if the service stalls', async () => {
  const stalled = { ...wrong, restless: new Restless('stalled', 'It waits.') };
  const verdictOnSample = (runs: readonly Wrong[]) => verdictAfterBudget(new Budget(), runs, true);
  expect(await verdictOnSample([wrong])).toEqual({ status: 'not-run', left: 0 });
  expect(await verdictOnSample([stalled])).toEqual({ status: 'suspected', left: 0 });
  expect(await verdictAfterBudget(new Budget(0), [], true)).toEqual({ status: 'not-run', left: 0 });
});

it('names the event that an outage hits, not one that came before', async () => {
  const [account, bill, other] = ['account', 'bill', 'other'].map((type, nth) => {
    const event = { name: `${type}-v1`, type, version: 'v1' };
    return untouched(sentEvent(event, {}, { nth, id: type, at: 0, key: null, cell: 0 }));
  }) as [Delivery, Delivery, Delivery];
  const handles = (name: string) => name !== 'other-v1';
  const trials = new Trials(
    { budget: new Budget(), contract: {} } as ServiceSetup,
    { handles } as ServiceWorld,
  );
  const lost = { ...wrong, state: {} };
  vi.spyOn(Trials.prototype, 'wrongWith').mockImplementation(({ deliveries }) =>
    Promise.resolve(deliveries.includes(bill) ? lost : undefined),
  );
  const experiment: Experiment = {
    label: 'while the REST API is out of order (503)',
    about: 'account-v1',
    deliveries: [account, bill, other],
    fault: { rest: 503 },
  };
  const part = { diagnosis: 'ignores-outage' } as const;
  const verdict = await verdictOn(trials, 'platform', { experiment, status: 'suspect' }, part, new Budget());
  expect(verdict).toMatchObject({
    subject: 'bill-v1',
    reason: expect.stringMatching(/^With "bill-v1" while the REST API is out of order \(503\),/) as string,
    finding: { subject: 'bill-v1' },
  });
});
