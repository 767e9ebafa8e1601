import { amounts } from '../../world/vocabulary/billing.js';
import {
  agencies,
  allocationReasons,
  collectionCampaigns,
  collectionConfigs,
  collectionSteps,
  depositReasons,
  dunningPaths,
  feeTypes,
  lateFees,
  pauseNotes,
  pauseReasons,
  pauseSources,
  startNotes,
  stepChannels,
  stepOutcomes,
  withdrawalNotes,
  type WriteBackFailure,
  writeBackFailures,
  writeBackSkips,
} from '../../world/vocabulary/debt.js';
import { anyKey, weightedRow } from '../../world/vocabulary/rows.js';
import { accountNumber } from '../facts/household.js';
import { date, dateWithin, justNow } from '../facts/times.js';
import type { Scene, Subject } from '../subject.js';
import type { Area } from './area.js';

/** Debts and how they are collected, deposits, late fees. */
export const debt: Area = {
  fields: {
    changed_on: (s) => date(s, 0),
    previous_value: (s) => position(s).before,
    new_value: (s) => position(s).after,
    allocation_identifier: (s) => s.uuid('allocation'),
    created_at: justNow,
    obligation: (s) => ({ source_type: 'CHARGE', source_identifier: String(s.integer('entry')) }),
    payout: (s) => ({ amount: debtAmount(s), currency: 'GBP' }),
    exception: (s) => writeBackFailures[writeBackFailure(s)],

    dunning_path_name: (s) => s.random.weighted(dunningPaths),
    dunning_process_id: (s) => s.uuid('dunning process'),
    created_note: (s) => s.random.pick(s.eventType.includes('started') ? startNotes : pauseNotes),
    withdrawn_note: (s) => s.random.pick(withdrawalNotes),
    start_date: (s) => date(s, 0),
    pause_start_date: (s) => date(s, 0),
    pause_end_date: dateWithin(14, 60),
    withdrawn_date: (s) => date(s, 0),

    collection_process_number: (s) => s.prefixed('CP'),
    config_code: (s) => s.random.weighted(collectionConfigs),
    step_identifier: (s) => s.random.pick(collectionSteps),
    dispatched_channels: (s) => (outcome(s).status === 'COMPLETED' ? [channel(s)] : []),
    failed_channels: (s) => (outcome(s).reason === 'NO_CONTACT_DETAILS' ? [channel(s)] : []),
    timestamp: justNow,
    active_pause_reasons: (s) => [s.random.weighted(pauseReasons)],
    external_reference: (s) => (s.random.chance(0.5) ? `EXT-${s.integer('external reference')}` : ''),
    agency_code: (s) => s.random.weighted(agencies),
    campaign: (s) => s.random.weighted(collectionCampaigns),
    is_white_label: (s) => s.random.chance(0.3),

    deposit_key: (s) => s.uuid('deposit'),
    accepted_at: justNow,
    fulfilled_at: justNow,
    returned_at: justNow,
    withdrawn_at: justNow,
    returned_amount: (s) =>
      Math.ceil(depositAmount(s) / s.once('instalments', (random) => random.integer(2, 4))),
    collateral_agreement_id: (s) => s.integer('collateral agreement'),
    contract_id: (s) => s.uuid('contract 0'),
    check_id: (s) => s.uuid('credit check'),
    entity_type: (s) => entity(s),
    entity_id: (s) => (entity(s) === 'ACCOUNT' ? accountNumber(s) : s.integer('business')),

    run_id: (s) => s.uuid('fee run'),
    fees_applied_count: (s) => fees(s).applied,
    fees_unapplied_count: (s) => fees(s).unapplied,
    fees_calculated_count: (s) => fees(s).applied + fees(s).unapplied,
    fee_amount: (s) => Number(s.random.weighted(lateFees)),
    fee_date: (s) => date(s, 0),
    fee_type: (s) => s.random.weighted(feeTypes),
    charge_id: (s) => s.integer('entry'),
    fee_id: (s) => s.integer('fee'),
    waived_at: justNow,
  },
  shapes: {
    // The entry that paid; what it pays is an entry of its own.
    AllocationComponent: {
      source_type: (s) => allocationReason(s),
      source_identifier: (s) => s.integer('entry', 1),
    },
    HouseMoveAccount: { number: accountNumber },
  },
  events: {
    'collection_process.*': {
      number: (s) => s.prefixed('CP'),
      source: (s) => s.random.weighted(pauseSources),
    },
    'collection_process.comm_step_resolved': {
      status: (s) => outcome(s).status,
      reason: (s) => outcome(s).reason,
    },
    'collection_proceeding.created': { id: (s) => s.integer('collection proceeding'), amount: debtAmount },
    'debt.actioning.automated_debt_write_back.*': { amount: debtAmount },
    'debt.actioning.automated_debt_write_back.failed': { reason: writeBackFailure },
    'debt.actioning.automated_debt_write_back.skipped': { reason: (s) => s.random.weighted(writeBackSkips) },
    'delinquent_debt.*': { amount: debtAmount, reason: (s) => allocationReason(s) },
    'deposit_agreement.*': {
      amount: depositAmount,
      reason: (s) => s.once('deposit reason', (random) => random.weighted(depositReasons)),
    },
  },
};

function debtAmount(subject: Subject): number {
  return subject.once('debt', (random) => Math.floor(random.spread(...amounts.debt)));
}

/** Whole pounds. */
function depositAmount(subject: Subject): number {
  const wanted = subject.pinned('amount');
  if (typeof wanted === 'number') return wanted;
  return subject.once('deposit', (random) => Math.floor(random.spread(...amounts.deposit) / 100) * 100);
}

/** A debt appears, or is paid. */
function position(subject: Subject): { before: number; after: number } {
  const owed = debtAmount(subject);
  return subject.once('debt position', (random) =>
    random.chance(0.6) ? { before: 0, after: owed } : { before: owed, after: 0 },
  );
}

function writeBackFailure(subject: Subject): WriteBackFailure {
  return subject.once('write back failure', (random) => anyKey(random, writeBackFailures));
}

function allocationReason(subject: Subject): keyof typeof allocationReasons {
  return subject.once('allocation reason', (random) => random.weighted(allocationReasons));
}

function outcome(subject: Subject): (typeof stepOutcomes)[number] {
  return subject.once('collection step', (random) => weightedRow(random, stepOutcomes));
}

function channel(scene: Scene): string {
  return scene.once('collection channel', (random) => random.weighted(stepChannels));
}

function entity(subject: Subject): 'ACCOUNT' | 'BUSINESS' {
  return subject.once('entity', (random) => random.weighted({ ACCOUNT: 0.8, BUSINESS: 0.2 }));
}

/** What one run of the fee services did. */
function fees(subject: Subject): { applied: number; unapplied: number } {
  return subject.once('late fees', (random) => ({
    applied: random.integer(0, 3),
    unapplied: random.integer(0, 1),
  }));
}
