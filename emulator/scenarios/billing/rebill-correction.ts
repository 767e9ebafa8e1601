import { after } from '../../engine/scenario.js';
import { accountOnSupply, booksOf } from '../../world/billing/books.js';
import { type Bill, type Books, draftBill } from '../../world/billing/dues.js';
import type { ChargedSupply, LedgerEntry } from '../../world/cell.js';
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
  setting: 'billed',
  rate: 60,
  starts: 'night',
  needsSupply: true,
  branches: {
    cause: { readings: 0.6, error: 0.4 },
    document: { reissued: 0.7, absorbed: 0.3 },
  },
  *run(stage) {
    const { cell, calendar, branch } = stage;
    const today = calendar.dayAt(stage.now);
    const account = accountOnSupply(cell, today);
    if (account === undefined) return;
    const books = booksOf(cell, account);
    const wrong = lastElectricityCharge(books);
    if (wrong === undefined) return;

    if (branch.cause === 'readings') {
      yield* emit(receiveIntervals(account, wrong.energy));
      yield* after({ minutes: 1 }, { days: 1 }, 'night');
    }
    // Another correction can have removed the charge in the meantime.
    if (!account.ledger.entries.includes(wrong.charge)) return;
    const reason = branch.cause === 'readings' ? 'REBILL' : 'ERROR_CORRECTION';
    yield* emit(removeEntry(account, wrong.charge, reason));
    yield* after({ seconds: 1 }, { minutes: 1 });
    const charge = yield* chargeSupply(stage, account, wrong.energy);
    const { bill } = wrong;
    bill.charges.splice(bill.charges.indexOf(wrong.charge), 1, charge);

    if (branch.document === 'absorbed') return;
    yield* after({ minutes: 1 }, { days: 3 }, 'night');
    const reissued = draftBill(cell, bill);
    books.bills.splice(books.bills.indexOf(bill), 1);
    yield* emit(issueDocument(account, books, reissued));
  },
});

interface Wrong {
  readonly bill: Bill;
  readonly charge: LedgerEntry;
  readonly energy: ChargedSupply;
}

function lastElectricityCharge({ bills }: Books): Wrong | undefined {
  for (const bill of bills.toReversed()) {
    for (const charge of bill.charges) {
      const { energy } = charge;
      if (energy?.supplyPoint.market === 'GBR_ELECTRICITY') return { bill, charge, energy };
    }
  }
  return undefined;
}
