import { after, type ScenarioContext, type Steps } from '../../engine/scenario.js';
import { accountOnSupply } from '../../world/billing/books.js';
import { costFrom } from '../../world/billing/charges.js';
import { balance } from '../../world/billing/entries.js';
import type { Account, Cell } from '../../world/cell.js';
import {
  acceptDeposit,
  type Deposit,
  deposits,
  fulfilCollateral,
  fulfilDeposit,
  heldOf,
  returnDeposit,
  returnInstalment,
  withdrawDeposit,
} from '../../world/debt/deposits.js';
import { checkCredit } from '../../world/sales/enrolment.js';
import { changeDebtPosition, postPayment } from '../../world/billing/ledger.js';
import { depositReasons } from '../../world/debt/words.js';
import { defineScenario, emit, type Context } from '../define.js';

const branches = {
  outcome: { returned: 0.75, instalments: 0.15, withdrawn: 0.1 },
  collateral: { none: 0.7, fulfilled: 0.3 },
} as const;

export const depositAgreement = defineScenario({
  name: 'deposit-agreement',
  title: 'A customer leaves a deposit and gets it back',
  description:
    'A credit check goes badly, and the customer agrees to leave a deposit. It is kept on a ledger of its own and goes ' +
    'back after a year of paying well, in instalments before that, or after the last bill of an account that leaves; ' +
    'some are dropped before they are paid.',
  rate: 1.5,
  lead: 365,
  starts: 'office',
  needsSupply: true,
  branches,
  *run(context) {
    const { cell, random, branch } = context;
    const account = accountOnSupply(cell);
    if (account === undefined) return;
    yield* emit(checkCredit(cell, account));
    yield* after({ minutes: 10 }, { days: 5 }, 'waking');
    // Two months of energy, up to the next ten pounds.
    const amount = Math.ceil(costFrom(cell, account, cell.today, 61) / 1_000) * 1_000;
    const agreed = { amount, reason: random.weighted(depositReasons) };
    const { deposit, accepted } = acceptDeposit(cell, account, agreed);
    yield* emit(accepted);

    if (branch.outcome === 'withdrawn') {
      yield* after({ days: 1 }, { days: 20 }, 'office');
      yield* emit(withdrawDeposit(cell, deposit));
      return;
    }
    yield* after({ days: 1 }, { days: 14 }, 'waking');
    if (account.status !== 'ACTIVE') return yield* emit(withdrawDeposit(cell, deposit));
    yield* payIn(context, deposit);
    if (branch.outcome === 'instalments') return yield* returnInParts(context, deposit);
    yield* after({ days: 365 }, { days: 400 }, 'working-day');
    yield* giveBack(context, deposit, heldOf(deposit));
  },
});

type DepositAgreement = ScenarioContext<Cell, typeof branches>;

function* payIn(context: DepositAgreement, deposit: Deposit): Steps {
  const { cell, branch } = context;
  const { account, amount, ledger } = deposit;
  yield* emit(postPayment(cell, account, 'payment', amount, ledger).posted);
  yield* after({ seconds: 1 }, { minutes: 10 });
  yield* emit(fulfilDeposit(cell, deposit));
  if (branch.collateral === 'fulfilled') {
    yield* after({ seconds: 1 }, { hours: 1 });
    yield* emit(fulfilCollateral(cell, deposit));
  }
}

/** Returns the deposit in two to four parts, a month apart. */
function* returnInParts(context: DepositAgreement, deposit: Deposit): Steps {
  const parts = context.random.integer(2, 4);
  yield* after({ days: 180 }, { days: 365 }, 'working-day');
  for (let part = 1; part <= parts; part++) {
    const held = heldOf(deposit);
    yield* giveBack(
      context,
      deposit,
      part < parts ? Math.min(held, Math.floor(deposit.amount / parts)) : held,
    );
    if (part < parts) yield* after({ days: 30 }, { days: 30 }, 'working-day');
  }
}

/** Returns what is held of the deposits of an account that has left. What it still owes is paid from them. */
export function* returnDeposits(context: Context, account: Account): Steps {
  for (const deposit of deposits.of(context.cell, account)) {
    if (heldOf(deposit) === 0) continue;
    yield* after({ workingDays: 2 }, { workingDays: 8, hours: 4 }, 'working-day');
    const held = heldOf(deposit);
    yield* giveBack(context, deposit, held);
    const amount = Math.min(held, balance(account.ledger));
    if (amount > 0) yield* payFromDeposit(context, account, amount);
  }
}

function* payFromDeposit({ cell }: Context, account: Account, amount: number): Steps {
  const { ledger } = account;
  yield* after({ seconds: 1 }, { seconds: 30 });
  yield* emit(postPayment(cell, account, 'payment', amount).posted);
  const cleared = ledger.position - Math.max(0, balance(ledger));
  if (cleared > 0) yield* emit(changeDebtPosition(cell, account, -cleared));
}

function* giveBack({ cell }: Context, deposit: Deposit, amount: number): Steps {
  // An account that has left got it back before.
  if (amount === 0) return;
  yield* emit(postPayment(cell, deposit.account, 'repayment', amount, deposit.ledger).posted);
  yield* after({ seconds: 1 }, { seconds: 30 });
  const isWhole = amount === deposit.amount;
  yield* emit(isWhole ? returnDeposit(cell, deposit) : returnInstalment(cell, deposit, amount));
}
