import type { Occurrence } from '../engine/scenario.js';
import { day, formatDay, type Instant } from '../engine/time.js';
import { booksOf } from '../world/billing/books.js';
import type { Account, Cell, LedgerEntry } from '../world/cell.js';
import { BoundedMap } from './bounded-map.js';
import type { EntryFacts, Truth } from './truth.js';

/** An occurrence of a run, with the state of its cell at that time. */
export interface Moment {
  readonly at: Instant;
  readonly occurrence: Occurrence;
  readonly cell: Cell;
}

/**
 * Returns the ground truth of a run. It reads the run's history along with the stream, one day ahead of it for events
 * that arrive early. Its memory is bounded.
 */
export function worldTruth(history: Iterable<Moment>): Truth {
  const moments = history[Symbol.iterator]();
  const entries = new BoundedMap<EntryFacts>();
  const charges = new BoundedMap<readonly string[]>();
  const chargedTo = new BoundedMap<string>();
  let next = moments.next();

  function learn({ occurrence: { type, key }, cell }: Moment): void {
    if (!relevant.has(type)) return;
    const account = cell.accounts.find(({ number }) => number === key);
    if (account === undefined) return;
    // New entries are at the end of the ledger.
    for (const entry of account.ledger.entries.toReversed()) {
      if (entries.get(String(entry.id)) !== undefined) break;
      entries.set(String(entry.id), factsOf(entry));
    }
    const bill = type === posted ? undefined : booksOf(cell, account).bills.at(-1);
    if (bill === undefined) return;
    charges.set(
      String(bill.id),
      bill.charges.map(({ id }) => String(id)),
    );
    if (type === 'billing.final_bill') {
      for (const [supplyPoint, to] of chargedDays(account)) chargedTo.set(`${key} ${supplyPoint}`, to);
    }
  }

  return {
    reach(at) {
      for (; !next.done && next.value.at <= at + day; next = moments.next()) learn(next.value);
    },
    entry: (id) => entries.get(id),
    chargesOf: (documentId) => charges.get(documentId),
    chargedTo: (accountNumber, supplyPoint) => chargedTo.get(`${accountNumber} ${supplyPoint}`),
  };
}

const posted = 'billing.ledger.entry_posted';
const relevant: ReadonlySet<string> = new Set([
  posted,
  'billing.billing_document.issued',
  'billing.final_bill',
]);

function factsOf({ amount, energy }: LedgerEntry): EntryFacts {
  if (energy === undefined) return { amount };
  return {
    amount,
    energy: { supplyPoint: energy.supplyPoint.identifier, until: formatDay(energy.to) },
  };
}

/** Returns the day up to which the account is charged, by supply point. */
function chargedDays({ agreements, ledger }: Account): Map<string, string> {
  const charged = new Map<string, number>();
  const reach = (supplyPoint: string, to: number) =>
    charged.set(supplyPoint, Math.max(to, charged.get(supplyPoint) ?? to));
  for (const { supplyPoint, from } of agreements) reach(supplyPoint.identifier, from);
  for (const { energy } of ledger.entries) {
    if (energy !== undefined) reach(energy.supplyPoint.identifier, energy.to);
  }
  return new Map([...charged].map(([supplyPoint, to]) => [supplyPoint, formatDay(to)]));
}
