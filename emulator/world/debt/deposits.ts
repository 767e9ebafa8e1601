import { formatInstant } from '../../engine/time.js';
import { ledgerOf } from '../billing/books.js';
import { balance } from '../billing/entries.js';
import { ownedState } from '../cell-state.js';
import { type Account, type Cell, Ledger } from '../cell.js';
import { occurrence } from '../occurrence.js';
import type { depositReasons } from './words.js';

/** A security deposit of an account, on its own ledger. Key of its events: account number. */
export interface Deposit {
  readonly key: string;
  readonly account: Account;
  readonly ledger: Ledger;
  /** Pence. */
  readonly amount: number;
  readonly reason: keyof typeof depositReasons;
}

/** The deposits of each account. */
export const deposits = ownedState<Account, Deposit[]>(() => []);

/** Returns the ledger of the account, then those of its deposits. */
export function ledgersOf(cell: Cell, account: Account): Ledger[] {
  return [ledgerOf(cell, account), ...deposits.of(cell, account).map(({ ledger }) => ledger)];
}

/** Returns the pence of a deposit that were paid in and not returned. */
export function heldOf({ ledger }: Deposit): number {
  return -balance(ledger);
}

/** Publishes that the customer accepts to pay a deposit. */
export function acceptDeposit(
  cell: Cell,
  account: Account,
  { amount, reason }: Pick<Deposit, 'amount' | 'reason'>,
) {
  const deposit: Deposit = {
    key: cell.ids.uuid('deposit'),
    account,
    ledger: new Ledger(cell.ids.number('ledger')),
    amount,
    reason,
  };
  deposits.of(cell, account).push(deposit);
  const accepted = occurrence('deposit_agreement.accepted', account.number, {
    v1: { ...describe(deposit), accepted_at: formatInstant(cell.now) },
  });
  return { deposit, accepted };
}

/** Withdraws a deposit before it is paid. */
export function withdrawDeposit(cell: Cell, deposit: Deposit) {
  return occurrence('deposit_agreement.withdrawn', deposit.account.number, {
    v1: { ...describe(deposit), withdrawn_at: formatInstant(cell.now) },
  });
}

/** Publishes that the deposit is paid. */
export function fulfilDeposit(cell: Cell, deposit: Deposit) {
  return occurrence('deposit_agreement.fulfilled', deposit.account.number, {
    v1: { ...describe(deposit), fulfilled_at: formatInstant(cell.now) },
  });
}

/** Fulfils the contract's requirement of a deposit. */
export function fulfilCollateral(cell: Cell, { account }: Deposit) {
  return occurrence('collateral_agreement.fulfilled', account.number, {
    v1: {
      collateral_agreement_id: cell.ids.integer('collateral agreement'),
      contract_id: cell.ids.uuid('contract'),
      fulfilled_at: formatInstant(cell.now),
    },
  });
}

/** Returns a part of the deposit to the customer, in pence. */
export function returnInstalment(cell: Cell, deposit: Deposit, amount: number) {
  return occurrence('deposit_agreement.instalment_returned', deposit.account.number, {
    v1: { ...describe(deposit), returned_amount: amount, returned_at: formatInstant(cell.now) },
  });
}

/** Returns the whole deposit to the customer. */
export function returnDeposit(cell: Cell, deposit: Deposit) {
  return occurrence('deposit_agreement.returned', deposit.account.number, {
    v1: { ...describe(deposit), returned_at: formatInstant(cell.now) },
  });
}

function describe({ key, account, ledger, amount, reason }: Deposit) {
  return {
    account_number: account.number,
    deposit_key: key,
    ledger_identifier: ledger.number,
    amount,
    reason,
  };
}
