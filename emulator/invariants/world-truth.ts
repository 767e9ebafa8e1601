import type { Occurrence } from '../engine/scenario.js';
import { day, formatDay, type Instant } from '../engine/time.js';
import { openedBooks } from '../world/books.js';
import type { Account, Cell } from '../world/cell.js';
import type { LedgerEntry } from '../world/ledger.js';
import { Memory } from './memory.js';
import type { EntryFacts, Truth } from './truth.js';

/** Something that occurs in a run, with its cell as it is just then. */
export interface Moment {
  readonly at: Instant;
  readonly occurrence: Occurrence;
  readonly cell: Cell;
}

/**
 * What the world knows of a run, from its history: which is read along with the stream, a day ahead of it, so that what
 * comes too early in the stream is known as well. It remembers as much as the invariants do.
 */
export function worldTruth(history: Iterable<Moment>): Truth {
  const moments = history[Symbol.iterator]();
  const entries = new Memory<EntryFacts>();
  const charges = new Memory<readonly string[]>();
  const chargedTo = new Memory<string>();
  let next = moments.next();

  function learn({ occurrence: { type, key }, cell }: Moment): void {
    if (!telling.has(type)) return;
    const account = cell.accounts.find(({ number }) => number === key);
    if (account === undefined) return;
    // New entries come last; those that are known were there before.
    for (const entry of account.ledger.entries.toReversed()) {
      if (entries.get(String(entry.id)) !== undefined) break;
      entries.set(String(entry.id), factsOf(entry));
    }
    const bill = openedBooks(cell, account)?.bills.at(-1);
    if (bill === undefined || type === posted) return;
    charges.set(
      String(bill.id),
      bill.charges.map(({ entry }) => String(entry.id)),
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
const telling: ReadonlySet<string> = new Set([
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

/** Up to which day the account is charged at each of its supply points. */
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
