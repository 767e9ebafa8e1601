import type { Occurrence } from '../../engine/scenario.js';
import { formatInstant, type Instant } from '../../engine/time.js';
import type { Account, Cell } from '../cell.js';
import type { Debt } from '../debt.js';
import { occurrence } from '../occurrence.js';
import type { collectionSteps, pauseReasons } from '../vocabulary/debt.js';
import type { LeaveProcess } from './leave-supplier.js';

/** A collection process of a debt. Key of its events: account number, even if the payload lacks it. */
export interface Collection {
  readonly number: string;
  readonly account: Account;
}

interface StepOutcome {
  readonly step: (typeof collectionSteps)[number];
  readonly status: string;
  readonly reason: string;
  readonly dispatched: readonly string[];
  readonly failed: readonly string[];
  readonly at: Instant;
}

export function raiseCollection(
  cell: Cell,
  { account, bill }: Debt,
): { collection: Collection; raised: Occurrence } {
  const collection: Collection = { number: cell.ids.number('collection'), account };
  const raised = occurrence('collection_process.raised', account.number, {
    v1: {
      number: collection.number,
      account_number: account.number,
      ledger: account.ledger.number,
      billing_document: bill.identifier,
      config_code: 'DOMESTIC_STANDARD_2026',
    },
  });
  return { collection, raised };
}

/** Publishes the outcome of a communication step. */
export function resolveStep(cell: Cell, { number, account }: Collection, outcome: StepOutcome): Occurrence {
  return occurrence('collection_process.comm_step_resolved', account.number, {
    v1: {
      collection_process_number: number,
      step_identifier: outcome.step,
      trigger_id: cell.ids.uuid('collection trigger'),
      status: outcome.status,
      reason: outcome.reason,
      dispatched_channels: [...outcome.dispatched],
      failed_channels: [...outcome.failed],
      timestamp: formatInstant(outcome.at),
    },
  });
}

export function pauseCollection(collection: Collection, reason: keyof typeof pauseReasons): Occurrence {
  return occurrence('collection_process.paused', collection.account.number, {
    v1: { ...name(collection), source: 'SUPPORT_USER', active_pause_reasons: [reason] },
  });
}

export function resumeCollection(collection: Collection): Occurrence {
  return occurrence('collection_process.unpaused', collection.account.number, {
    v1: { ...name(collection), source: 'SYSTEM' },
  });
}

/** Requests the end of supply because of the debt. */
export function requestTermination(collection: Collection): Occurrence {
  return occurrence('collection_process.run_termination_requested', collection.account.number, {
    v1: { number: collection.number },
  });
}

/** Reactivates the process instead of ending supply. */
export function reactivateCollection(collection: Collection): Occurrence {
  return occurrence('collection_process.reactivated', collection.account.number, {
    v1: { number: collection.number },
  });
}

export function withdrawCollection(collection: Collection, externalReference: string): Occurrence {
  const v2 = name(collection);
  return occurrence('collection_process.withdrawn', collection.account.number, {
    v1: { ...v2, external_reference: externalReference },
    v2,
  });
}

export function instigateLeave(collection: Collection, leave: LeaveProcess): Occurrence {
  return occurrence('collection_process.leave_supplier_instigated', collection.account.number, {
    v1: { ...name(collection), leave_supplier_process_number: leave.number },
  });
}

/** Hands the debt to an agency. The amount is in pence. */
export function handToAgency(
  cell: Cell,
  { number }: Account,
  proceeding: {
    readonly amount: number;
    readonly campaign: string;
    readonly agency: string;
    readonly isWhiteLabel: boolean;
  },
): Occurrence {
  return occurrence('collection_proceeding.created', number, {
    v1: {
      id: cell.ids.integer('collection proceeding'),
      account_number: number,
      amount: proceeding.amount,
      campaign: proceeding.campaign,
      is_white_label: proceeding.isWhiteLabel,
      agency_code: proceeding.agency,
    },
  });
}

function name({ number, account }: Collection) {
  return { number, account_number: account.number };
}
