import { after, type ScenarioContext, type Steps } from '../../engine/scenario.js';
import { accountOnSupply } from '../../world/billing/books.js';
import { costFrom } from '../../world/billing/charges.js';
import type { Cell } from '../../world/cell.js';
import {
  acceptDeposit,
  type Deposit,
  fulfilCollateral,
  fulfilDeposit,
  returnDeposit,
  returnInstalment,
  withdrawDeposit,
} from '../../world/debt/deposits.js';
import { checkCredit } from '../../world/sales/enrolment.js';
import { postEntry } from '../../world/billing/ledger.js';
import { depositReasons } from '../../world/debt/words.js';
import { defineScenario, emit } from '../define.js';

const branches = {
  outcome: { returned: 0.75, instalments: 0.15, withdrawn: 0.1 },
  collateral: { none: 0.7, fulfilled: 0.3 },
} as const;

export const depositAgreement = defineScenario({
  name: 'deposit-agreement',
  title: 'A customer leaves a deposit and gets it back',
  description:
    'A credit check goes badly, and the customer agrees to leave a deposit. It is kept on a ledger of its own and goes ' +
    'back after a year of paying well, or in instalments before that; some are dropped before they are paid.',
  rate: 1.5,
  lead: 365,
  starts: 'office',
  needsSupply: true,
  branches,
  *run(stage) {
    const { cell, calendar, random, branch } = stage;
    const account = accountOnSupply(cell, calendar.dayAt(stage.now));
    if (account === undefined) return;
    yield* emit(checkCredit(cell, account));
    yield* after({ minutes: 10 }, { days: 5 }, 'waking');
    // Two months of energy, up to the next ten pounds.
    const amount = Math.ceil(costFrom(cell, account, calendar.dayAt(stage.now), 61) / 1_000) * 1_000;
    const agreed = { amount, reason: random.weighted(depositReasons), at: stage.now };
    const { deposit, accepted } = acceptDeposit(cell, account, agreed);
    yield* emit(accepted);

    if (branch.outcome === 'withdrawn') {
      yield* after({ days: 1 }, { days: 20 }, 'office');
      yield* emit(withdrawDeposit(deposit, stage.now));
      return;
    }
    yield* payIn(stage, deposit);
    yield* branch.outcome === 'returned' ? returnAtOnce(stage, deposit) : returnInParts(stage, deposit);
  },
});

type DepositAgreement = ScenarioContext<Cell, typeof branches>;

function* payIn(stage: DepositAgreement, deposit: Deposit): Steps {
  const { cell, branch } = stage;
  yield* after({ days: 1 }, { days: 14 }, 'waking');
  yield* emit(postToDeposit(cell, deposit, 'payment', deposit.amount));
  yield* after({ seconds: 1 }, { minutes: 10 });
  yield* emit(fulfilDeposit(deposit, stage.now));
  if (branch.collateral === 'fulfilled') {
    yield* after({ seconds: 1 }, { hours: 1 });
    yield* emit(fulfilCollateral(cell, deposit, stage.now));
  }
}

function* returnAtOnce(stage: DepositAgreement, deposit: Deposit): Steps {
  yield* after({ days: 365 }, { days: 400 }, 'working-day');
  yield* emit(postToDeposit(stage.cell, deposit, 'repayment', deposit.amount));
  yield* after({ seconds: 1 }, { seconds: 30 });
  yield* emit(returnDeposit(deposit, stage.now));
}

/** Returns the deposit in two to four parts, a month apart. */
function* returnInParts(stage: DepositAgreement, deposit: Deposit): Steps {
  const parts = stage.random.integer(2, 4);
  yield* after({ days: 180 }, { days: 365 }, 'working-day');
  for (let part = 1; part <= parts; part++) {
    const amount = part < parts ? Math.floor(deposit.amount / parts) : deposit.amount - deposit.returned;
    yield* emit(postToDeposit(stage.cell, deposit, 'repayment', amount));
    yield* after({ seconds: 1 }, { seconds: 30 });
    yield* emit(returnInstalment(deposit, amount, stage.now));
    if (part < parts) yield* after({ days: 30 }, { days: 30 }, 'working-day');
  }
}

function postToDeposit(
  cell: Cell,
  { account, ledger }: Deposit,
  kind: 'payment' | 'repayment',
  amount: number,
) {
  return postEntry(cell, account, { kind, amount, sourceId: cell.ids.integer('payment'), ledger }).posted;
}
