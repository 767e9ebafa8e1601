import type { Occurrence } from '../../engine/scenario.js';
import { formatInstant, type Instant } from '../../engine/time.js';
import type { Account, Cell } from '../cell.js';
import type { Ledger } from '../ledger.js';
import { occurrence } from '../occurrence.js';
import type { depositReasons } from '../vocabulary/debt.js';

/** Money that an account leaves as a security, on a ledger of its own. The key is the account number. */
export interface Deposit {
  readonly key: string;
  readonly account: Account;
  readonly ledger: Ledger;
  /** Pence. */
  readonly amount: number;
  readonly reason: keyof typeof depositReasons;
  /** Pence that went back so far. */
  returned: number;
  state: 'accepted' | 'withdrawn' | 'fulfilled' | 'returned';
}

export function checkDepositCredit(cell: Cell, { number }: Account): Occurrence {
  return occurrence('credit_check.created', number, {
    v1: { check_id: cell.ids.uuid('credit check'), entity_type: 'ACCOUNT', entity_id: number },
  });
}

/** The customer agrees to leave a deposit. */
export function acceptDeposit(
  cell: Cell,
  account: Account,
  agreed: Pick<Deposit, 'amount' | 'reason'> & { readonly at: Instant },
): { deposit: Deposit; accepted: Occurrence } {
  const { amount, reason, at } = agreed;
  const deposit: Deposit = {
    key: cell.ids.uuid('deposit'),
    account,
    ledger: { number: cell.ids.number('ledger'), entries: [], position: 0 },
    amount,
    reason,
    returned: 0,
    state: 'accepted',
  };
  const accepted = occurrence('deposit_agreement.accepted', account.number, {
    v1: { ...describe(deposit), accepted_at: formatInstant(at) },
  });
  return { deposit, accepted };
}

/** The deposit is not needed after all: nothing was paid. */
export function withdrawDeposit(deposit: Deposit, at: Instant): Occurrence {
  deposit.state = 'withdrawn';
  return occurrence('deposit_agreement.withdrawn', deposit.account.number, {
    v1: { ...describe(deposit), withdrawn_at: formatInstant(at) },
  });
}

/** The deposit has been paid. */
export function fulfilDeposit(deposit: Deposit, at: Instant): Occurrence {
  deposit.state = 'fulfilled';
  return occurrence('deposit_agreement.fulfilled', deposit.account.number, {
    v1: { ...describe(deposit), fulfilled_at: formatInstant(at) },
  });
}

/** What the deposit was asked for by contract is in place. */
export function fulfilCollateral(cell: Cell, { account }: Deposit, at: Instant): Occurrence {
  return occurrence('collateral_agreement.fulfilled', account.number, {
    v1: {
      collateral_agreement_id: cell.ids.integer('collateral agreement'),
      contract_id: cell.ids.uuid('contract'),
      fulfilled_at: formatInstant(at),
    },
  });
}

/** A part of the deposit goes back, in pence. */
export function returnInstalment(deposit: Deposit, amount: number, at: Instant): Occurrence {
  deposit.returned += amount;
  if (deposit.returned === deposit.amount) deposit.state = 'returned';
  return occurrence('deposit_agreement.instalment_returned', deposit.account.number, {
    v1: { ...describe(deposit), returned_amount: amount, returned_at: formatInstant(at) },
  });
}

/** The whole deposit goes back at once. */
export function returnDeposit(deposit: Deposit, at: Instant): Occurrence {
  deposit.returned = deposit.amount;
  deposit.state = 'returned';
  return occurrence('deposit_agreement.returned', deposit.account.number, {
    v1: { ...describe(deposit), returned_at: formatInstant(at) },
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
