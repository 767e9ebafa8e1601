import type { Occurrence } from '../../engine/scenario.js';
import { formatInstant, type Instant } from '../../engine/time.js';
import type { Account, Cell } from '../cell.js';
import type { Debt } from '../debt.js';
import { occurrence } from '../occurrence.js';
import type {
  collectionCampaigns,
  collectionConfigs,
  collectionSteps,
  pauseReasons,
} from '../vocabulary/debt.js';
import type { LeaveProcess } from './leave-supplier.js';

/** A debt being collected. The key of all of its events is the account number, whether or not they carry it. */
export interface Collection {
  readonly number: string;
  readonly account: Account;
  state: 'raised' | 'paused' | 'terminating' | 'withdrawn';
}

export interface StepOutcome {
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
  config: keyof typeof collectionConfigs,
): { collection: Collection; raised: Occurrence } {
  const collection: Collection = { number: cell.ids.number('collection'), account, state: 'raised' };
  const raised = occurrence('collection_process.raised', account.number, {
    v1: {
      number: collection.number,
      account_number: account.number,
      ledger: account.ledger.number,
      billing_document: bill.identifier,
      config_code: config,
    },
  });
  return { collection, raised };
}

/** A letter or a message of the process has gone out, or could not. */
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
  collection.state = 'paused';
  return occurrence('collection_process.paused', collection.account.number, {
    v1: { ...name(collection), source: 'SUPPORT_USER', active_pause_reasons: [reason] },
  });
}

export function resumeCollection(collection: Collection): Occurrence {
  collection.state = 'raised';
  return occurrence('collection_process.unpaused', collection.account.number, {
    v1: { ...name(collection), source: 'SYSTEM' },
  });
}

/** Supply is to end for the debt. */
export function requestTermination(collection: Collection): Occurrence {
  collection.state = 'terminating';
  return occurrence('collection_process.run_termination_requested', collection.account.number, {
    v1: { number: collection.number },
  });
}

/** The debt was paid after all: supply stays. */
export function reactivateCollection(collection: Collection): Occurrence {
  collection.state = 'raised';
  return occurrence('collection_process.reactivated', collection.account.number, {
    v1: { number: collection.number },
  });
}

export function withdrawCollection(collection: Collection, externalReference: string): Occurrence {
  collection.state = 'withdrawn';
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

/** An agency takes the debt over, in pence. */
export function handToAgency(
  cell: Cell,
  { number }: Account,
  proceeding: {
    readonly amount: number;
    readonly campaign: keyof typeof collectionCampaigns;
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
