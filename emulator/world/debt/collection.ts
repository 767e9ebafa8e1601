import type { PayloadOf } from 'busbar/catalogue';
import { type Day, formatDay, formatInstant, yearOf } from '../../engine/time.js';
import type { Account, Cell } from '../cell.js';
import { type Debt, reminded } from './debt.js';
import { occurrence } from '../occurrence.js';
import type { collectionSteps, dunningPaths, pauseReasons } from './words.js';
import type { LeaveProcess } from '../supply/leave-supplier.js';

/** A dunning process: a series of reminders. Key of its events: account number. */
export interface Dunning {
  readonly id: string;
  readonly account: Account;
  readonly path: DunningPath;
}

type DunningPath = keyof typeof dunningPaths;

export function startDunning(
  cell: Cell,
  account: Account,
  { path, note }: { readonly path: DunningPath; readonly note: string },
) {
  const dunning: Dunning = { id: cell.ids.uuid('dunning process'), account, path };
  const started = occurrence('dunning_path_started', account.number, {
    v1: { ...describe(dunning), created_note: note, start_date: formatDay(cell.today) },
  });
  return { dunning, started };
}

export function pauseDunning(
  dunning: Dunning,
  pause: { readonly from: Day; readonly to: Day; readonly note: string },
) {
  return occurrence('dunning_path_paused', dunning.account.number, {
    v1: {
      ...describe(dunning),
      pause_start_date: formatDay(pause.from),
      pause_end_date: formatDay(pause.to),
      created_note: pause.note,
    },
  });
}

export function resumeDunning(dunning: Dunning) {
  return occurrence('dunning_path_unpaused', dunning.account.number, { v1: describe(dunning) });
}

export function withdrawDunning(cell: Cell, dunning: Dunning, note: string) {
  reminded.of(cell).delete(dunning.account);
  return occurrence('dunning_path_withdrawn', dunning.account.number, {
    v1: { ...describe(dunning), withdrawn_date: formatDay(cell.today), withdrawn_note: note },
  });
}

function describe({ id, account, path }: Dunning) {
  return { account_number: account.number, dunning_path_name: path, dunning_process_id: id };
}

/** A collection process of a debt. Key of its events: account number, even if the payload lacks it. */
export interface Collection {
  readonly number: string;
  readonly account: Account;
}

export function raiseCollection(cell: Cell, { account, bill }: Debt) {
  const collection: Collection = { number: cell.ids.number('collection'), account };
  const raised = occurrence('collection_process.raised', account.number, {
    v1: {
      number: collection.number,
      account_number: account.number,
      ledger: account.ledger.number,
      billing_document: bill.identifier,
      config_code: `DOMESTIC_STANDARD_${yearOf(cell.today)}`,
    },
  });
  return { collection, raised };
}

export function resolveStep(
  cell: Cell,
  { number, account }: Collection,
  step: (typeof collectionSteps)[number],
  outcome: Pick<
    PayloadOf<'collection_process.comm_step_resolved', 'v1'>,
    'status' | 'reason' | 'dispatched_channels' | 'failed_channels'
  >,
) {
  return occurrence('collection_process.comm_step_resolved', account.number, {
    v1: {
      collection_process_number: number,
      step_identifier: step,
      trigger_id: cell.ids.uuid('collection trigger'),
      ...outcome,
      timestamp: formatInstant(cell.now),
    },
  });
}

export function pauseCollection(collection: Collection, reason: keyof typeof pauseReasons) {
  return occurrence('collection_process.paused', collection.account.number, {
    v1: { ...name(collection), source: 'SUPPORT_USER', active_pause_reasons: [reason] },
  });
}

export function resumeCollection(collection: Collection) {
  return occurrence('collection_process.unpaused', collection.account.number, {
    v1: { ...name(collection), source: 'SYSTEM' },
  });
}

/** Requests the end of supply because of the debt. */
export function requestTermination(collection: Collection) {
  return occurrence('collection_process.run_termination_requested', collection.account.number, {
    v1: { number: collection.number },
  });
}

/** Reactivates the process instead of ending supply. */
export function reactivateCollection(collection: Collection) {
  return occurrence('collection_process.reactivated', collection.account.number, {
    v1: { number: collection.number },
  });
}

export function withdrawCollection(collection: Collection, externalReference: string) {
  const v2 = name(collection);
  return occurrence('collection_process.withdrawn', collection.account.number, {
    v1: { ...v2, external_reference: externalReference },
    v2,
  });
}

export function instigateLeave(collection: Collection, leave: LeaveProcess) {
  return occurrence('collection_process.leave_supplier_instigated', collection.account.number, {
    v1: { ...name(collection), leave_supplier_process_number: leave.number },
  });
}

/** Hands the debt to an agency. The amount is in pence. */
export function handToAgency(
  cell: Cell,
  { number }: Account,
  proceeding: Omit<PayloadOf<'collection_proceeding.created', 'v1'>, 'id' | 'account_number'>,
) {
  return occurrence('collection_proceeding.created', number, {
    v1: {
      id: cell.ids.integer('collection proceeding'),
      account_number: number,
      ...proceeding,
    },
  });
}

function name({ number, account }: Collection) {
  return { number, account_number: account.number };
}
