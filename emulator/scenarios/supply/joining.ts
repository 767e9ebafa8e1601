import { after, type Steps } from '../../engine/scenario.js';
import { hash32 } from '../../engine/random.js';
import type { Day } from '../../engine/time.js';
import { booksOf } from '../../world/billing/books.js';
import { closeBooks } from '../../world/billing/dues.js';
import { reversalOf } from '../../world/billing/entries.js';
import { postEntry } from '../../world/billing/ledger.js';
import type { Agreement, Cell, SupplyPoint } from '../../world/cell.js';
import { createAgreement } from '../../world/supply/agreements.js';
import { type JoinProcess, recordAgreement, reverseJoin } from '../../world/supply/join-supplier.js';
import { changeStatus } from '../../world/supply/process-status.js';
import { brandOf, firstLine, productFor } from '../../world/products/choices.js';
import { settleLastBill } from '../billing/final-bill.js';
import { emit, type Context } from '../define.js';

/** Creates the account's agreement for the supply point from the first day of supply. */
export function* agree({ cell }: Context, join: JoinProcess, supplyPoint: SupplyPoint): Steps<Agreement> {
  const { agreement, created } = createAgreement(cell, join.account, {
    supplyPoint,
    product: joiningProduct(cell, supplyPoint, join.startsOn),
    from: join.startsOn,
  });
  yield* emit(created);
  yield* after({ milliseconds: 200 }, { seconds: 3 });
  yield* emit(recordAgreement(join, agreement));
  return agreement;
}

/** Returns the product on which a household joins: of one line for both fuels. */
export function joiningProduct({ seed, index, traits }: Cell, { market }: SupplyPoint, from: Day): string {
  const line = firstLine(traits, hash32(seed, index, 'joining', from) & 255);
  return productFor(brandOf(traits), line, market, from);
}

/** Returns the product on which an occupier is supplied who has agreed on none. */
export function deemedProduct({ traits }: Cell, { market }: SupplyPoint, from: Day): string {
  return productFor(brandOf(traits), traits.prepaid ? 'PREPAY-VAR' : 'VAR', market, from);
}

/** Reverses the process after its agreements have been revoked. */
export function* undoJoin(join: JoinProcess): Steps {
  yield* emit(reverseJoin(join));
  yield* after({ seconds: 1 });
  yield* emit(changeStatus(join, 'REVERSED'));
}

/** Takes back the charges for a reversed supply. An account that is withdrawn gets its payments back, too. */
export function* takeBackCharges(context: Context, join: JoinProcess): Steps {
  const { cell } = context;
  const { account, property } = join;
  const isWithdrawn = account.status === 'WITHDRAWN';
  const charged = account.ledger.entries.filter(
    ({ kind, energy, reverses, isReversed }) =>
      !isReversed &&
      reverses === undefined &&
      (energy === undefined
        ? isWithdrawn && kind === 'credit'
        : energy.from >= join.startsOn && property.supplyPoints.includes(energy.supplyPoint)),
  );
  if (charged.length === 0) return;
  const books = booksOf(cell, account);
  books.unbilled.splice(0, Infinity, ...books.unbilled.filter((entry) => !charged.includes(entry)));
  for (const entry of charged) {
    yield* after({ seconds: 1 }, { minutes: 5 });
    yield* emit(postEntry(cell, account, reversalOf(entry)).posted);
  }
  if (!isWithdrawn) return;
  closeBooks(cell, account, books, { bill: books.bills.at(-1), issuedOn: cell.today });
  yield* settleLastBill(context, account);
}
