import { after, type ScenarioContext, type Steps } from '../../engine/scenario.js';
import { accountOnSupply } from '../../world/billing/books.js';
import { totalOf } from '../../world/billing/charges.js';
import type { Account, Cell, LedgerEntry } from '../../world/cell.js';
import {
  applyCalculatedFee,
  applyFee,
  completeFeeCalculation,
  completeFeeRun,
  type LateFee,
  startFeeApplication,
  startFeeRun,
  waiveFee,
} from '../../world/debt/late-fees.js';
import { changeDebtPosition, postEntry, removeEntry } from '../../world/billing/ledger.js';
import { type Debt, reminded, takeUnpaidBill } from '../../world/debt/debt.js';
import { staffId } from '../../world/staff.js';
import { feeTypes, lateFees } from '../../world/debt/words.js';
import { defineScenario, emit, type Context } from '../define.js';
import { payDebt } from './pay-debt.js';

const branches = {
  due: { none: 0.3, one: 0.45, two: 0.18, three: 0.07 },
  applied: { all: 0.88, 'all-but-one': 0.12 },
  waiver: { none: 0.92, waived: 0.08 },
} as const;

export const lateFeesService = defineScenario({
  name: 'late-fees-service',
  title: 'A business is charged for paying late',
  description:
    'A bill is overdue. At night, one service works out which fees its payer owes and another one charges them; a fee ' +
    'that the terms rule out stays unapplied. Some customers complain, and a fee is waived and taken off the ledger. ' +
    'The bill is paid within weeks, with its fees.',
  setting: 'business',
  rate: 12,
  starts: 'night',
  needsSupply: true,
  branches,
  *run(context) {
    const { cell, random, branch } = context;
    const account = accountOnSupply(cell);
    if (account === undefined) return;
    const debt = branch.due === 'none' ? undefined : yield* fallBehind(cell, account);
    const due = debt === undefined ? 0 : { none: 0, one: 1, two: 2, three: 3 }[branch.due];
    const unapplied = due > 0 && branch.applied === 'all-but-one' ? 1 : 0;

    const { run, started } = startFeeRun(cell, account, 'calculation_service');
    yield* emit(started);
    yield* after({ milliseconds: 500 }, { seconds: 10 });
    yield* emit(completeFeeCalculation(run, due));
    if (debt === undefined) return;

    yield* after({ seconds: 1 }, { seconds: 30 });
    yield* emit(startFeeApplication(run));
    const fees: LateFee[] = [];
    while (run.applied < due - unapplied) {
      const entry = yield* chargeFee(context, debt);
      const { fee, applied } = applyFee(cell, run, entry, random.weighted(feeTypes));
      yield* emit(applied);
      fees.push(fee);
    }
    yield* after({ milliseconds: 200 }, { seconds: 5 });
    yield* emit(completeFeeRun(run, 'application_service', unapplied));

    const [fee] = fees;
    const isWaived = branch.waiver === 'waived' && fee !== undefined;
    if (isWaived) yield* waive(context, fee);
    const owed = fees.filter((each) => !isWaived || each !== fee).map(({ entry }) => entry);
    yield* payLate(context, debt, owed);
  },
});

/** Finds a bill that is late, which raises the overdue debt of the account. */
function* fallBehind(cell: Cell, account: Account): Steps<Debt | undefined> {
  const debt = takeUnpaidBill(cell, account);
  if (debt === undefined) return undefined;
  yield* emit(changeDebtPosition(cell, account, debt.due.overdue));
  yield* after({ seconds: 1 }, { minutes: 1 });
  return debt;
}

/** Pays the late bill and its fees. */
function* payLate(context: Context, debt: Debt, fees: readonly LedgerEntry[]): Steps {
  yield* after({ days: 2 }, { days: 25 }, 'working-day');
  yield* payDebt(context, debt, debt.due.overdue + totalOf(fees));
  reminded.of(context.cell).delete(debt.account);
}

/** Posts the charge of a fee, which the caller publishes as such. */
function* chargeFee({ cell }: Context, { account, due: { overdue } }: Debt): Steps<LedgerEntry> {
  yield* after({ milliseconds: 200 }, { seconds: 5 });
  const amount = lateFees.find(({ below }) => overdue < below)?.fee ?? 7_000;
  const { entry, posted } = postEntry(cell, account, { kind: 'charge', amount });
  yield* emit(posted);
  yield* after({ milliseconds: 100 });
  return entry;
}

function* waive(context: ScenarioContext<Cell, typeof branches>, fee: LateFee): Steps {
  yield* after({ days: 1 }, { days: 20 }, 'office');
  yield* emit(waiveFee(context.cell, fee, staffId(context.random)));
  yield* after({ seconds: 1 });
  yield* emit(removeEntry(fee.account, fee.entry, 'FEE_WAIVED'));
}

export const lateFeesCalculator = defineScenario({
  name: 'late-fees-calculator',
  title: 'A business is charged for paying late, by the older calculator',
  description:
    'Some accounts are still on the calculator that finds the fees of an overdue bill and charges them in one go, at ' +
    'night. It says at its end how many it charged and how many it did not. The bill is paid within weeks.',
  setting: 'business',
  rate: 4,
  starts: 'night',
  needsSupply: true,
  branches: { fees: { none: 0.4, one: 0.45, two: 0.15 } },
  *run(context) {
    const { cell, random, branch } = context;
    const account = accountOnSupply(cell);
    if (account === undefined) return;
    const debt = branch.fees === 'none' ? undefined : yield* fallBehind(cell, account);
    const { run, started } = startFeeRun(cell, account, 'calculator');
    yield* emit(started);
    const due = { none: 0, one: 1, two: 2 }[branch.fees];
    const fees: LedgerEntry[] = [];
    while (debt !== undefined && run.applied < due) {
      const entry = yield* chargeFee(context, debt);
      fees.push(entry);
      yield* emit(applyCalculatedFee(run, entry));
    }
    yield* after({ milliseconds: 200 }, { seconds: 5 });
    yield* emit(completeFeeRun(run, 'calculator', random.chance(0.1) ? 1 : 0));
    if (debt !== undefined) yield* payLate(context, debt, fees);
  },
});
