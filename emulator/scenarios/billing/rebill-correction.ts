import { after } from '../../engine/scenario.js';
import { accountOnSupply, booksOf } from '../../world/billing/books.js';
import { draftBill } from '../../world/billing/dues.js';
import { issueDocument } from '../../world/billing/bills.js';
import { receiveIntervals } from '../../world/billing/ledger.js';
import { defineScenario, emit } from '../define.js';
import { correctCharge, findCharge } from './correct-charge.js';

export const rebillCorrection = defineScenario({
  name: 'rebill-correction',
  title: 'A charge is taken back and made again',
  description:
    'Half-hourly readings arrive late and replace the estimates of a bill, or somebody finds an error in it. The ' +
    'charge for electricity is removed and made again for the same period, a few percent higher or lower; mostly there ' +
    'is a new document too. The next payment settles the difference.',
  setting: 'billed',
  rate: 60,
  starts: 'night',
  needsSupply: true,
  branches: {
    cause: { readings: 0.6, error: 0.4 },
    document: { reissued: 0.7, absorbed: 0.3 },
  },
  *run(context) {
    const { cell, branch } = context;
    const account = accountOnSupply(cell);
    if (account === undefined) return;
    const books = booksOf(cell, account);
    const wrong = findCharge(books, ({ supplyPoint }) => supplyPoint.market === 'GBR_ELECTRICITY');
    if (wrong === undefined) return;

    if (branch.cause === 'readings') {
      yield* emit(receiveIntervals(account, wrong.energy));
      yield* after({ minutes: 1 }, { days: 1 }, 'night');
    }
    const reason = branch.cause === 'readings' ? 'REBILL' : 'ERROR_CORRECTION';
    const isCorrected = yield* correctCharge(context, account, books, wrong, reason);
    if (!isCorrected || branch.document === 'absorbed') return;
    yield* after({ minutes: 1 }, { days: 3 }, 'night');
    const { bill } = wrong;
    const reissued = draftBill(cell, bill);
    books.bills.splice(books.bills.indexOf(bill), 1);
    yield* emit(issueDocument(account, books, reissued));
  },
});
