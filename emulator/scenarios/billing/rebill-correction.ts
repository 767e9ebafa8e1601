import { after } from '../../engine/scenario.js';
import {
  accountOnSupply,
  type Bill,
  type Books,
  booksOf,
  type Charge,
  draftBill,
} from '../../world/billing/books.js';
import { issueDocument } from '../../world/billing/bills.js';
import { receiveIntervals, removeEntry } from '../../world/billing/ledger.js';
import { defineScenario, emit } from '../define.js';
import { chargeSupply } from './final-bill.js';

export const rebillCorrection = defineScenario({
  name: 'rebill-correction',
  title: 'A charge is taken back and made again',
  description:
    'Half-hourly readings arrive late and replace the estimates of a bill, or somebody finds an error in it. The ' +
    'charge for electricity is removed and made again for the same period; mostly there is a new document too.',
  rate: 60,
  starts: 'night',
  branches: {
    cause: { readings: 0.6, error: 0.4 },
    document: { reissued: 0.7, absorbed: 0.3 },
  },
  *run(stage) {
    const { cell, calendar, branch } = stage;
    const today = calendar.dayAt(stage.now);
    const account = accountOnSupply(cell, today);
    if (account === undefined) return;
    const books = booksOf(cell, account, today);
    const wrong = lastElectricityCharge(books);
    if (wrong === undefined) return;

    if (branch.cause === 'readings') {
      yield* emit(receiveIntervals(account, wrong.charge));
      yield* after({ minutes: 1 }, { days: 1 }, 'night');
    }
    // Another correction can have removed the charge in the meantime.
    if (!account.ledger.entries.includes(wrong.charge.entry)) return;
    const reason = branch.cause === 'readings' ? 'REBILL' : 'ERROR_CORRECTION';
    yield* emit(removeEntry(account, wrong.charge.entry, reason));
    yield* after({ seconds: 1 }, { minutes: 1 });
    const charge = yield* chargeSupply(stage, account, wrong.charge);
    const { bill } = wrong;
    bill.charges.splice(bill.charges.indexOf(wrong.charge), 1, charge);

    if (branch.document === 'absorbed') return;
    yield* after({ minutes: 1 }, { days: 3 }, 'night');
    const amount = bill.amount - wrong.charge.entry.amount + charge.entry.amount;
    yield* emit(issueDocument(account, books, draftBill(cell, { ...bill, amount })));
  },
});

function lastElectricityCharge({ bills }: Books): { bill: Bill; charge: Charge } | undefined {
  for (const bill of bills.toReversed()) {
    const charge = bill.charges.find(({ supplyPoint }) => supplyPoint.market === 'GBR_ELECTRICITY');
    if (charge !== undefined) return { bill, charge };
  }
  return undefined;
}
