import { formatDay } from '../../engine/time.js';
import { localMidnight } from '../../world/formats.js';
import {
  amounts,
  billingFailures,
  documentTypes,
  entryKinds,
  type EntryKind,
  entrySources,
  type ExternalStatus,
  externalStatuses,
  holdCodes,
  paymentFailures,
  primingErrors,
  rebateDeclineReasons,
  rebateTypes,
  removalReasons,
  templates,
} from '../../world/vocabulary/billing.js';
import { buckets, staff } from '../../world/vocabulary/platform.js';
import { anyKey } from '../../world/vocabulary/rows.js';
import { accountNumber } from '../facts/household.js';
import { agent } from '../facts/staff.js';
import { chargePeriod, dateWithin, justNow } from '../facts/times.js';
import type { Rule, Scene, Subject } from '../subject.js';
import type { Area, Rules } from './area.js';

/** Pence, within one of the ranges: small amounts are as common as the doubled ones. */
export function pence([lowest, highest]: readonly [number, number]): Rule {
  return ({ random }) => Math.floor(random.spread(lowest, highest));
}

/** Bills, their documents, the entries of ledgers, rebates. */
export const billing: Area = {
  fields: {
    amount: (s) => s.once('amount', (random) => Math.floor(random.spread(...amounts.monthlyBill))),
    ledger_number: (s) => s.number('ledger'),
    ledger_identifier: (s) => s.number('ledger', 1),
    ledger: (s) => s.number('ledger'),
    document_type: (s) => s.random.weighted(documentTypes),
    document_id: documentId,
    document_identifier: documentIdentifier,
    document_uuid: (s) => s.uuid('document'),
    billing_document: documentIdentifier,
    billing_document_id: documentId,
    billing_document_identifier: documentIdentifier,
    billing_document_uuid: (s) => s.uuid('document'),
    billing_document_representation_dispatch_id: (s) => s.integer('dispatch'),
    billing_document_representations_id: (s) => [s.integer('representation')],
    statement_id: documentId,
    hold_code: (s) => s.random.weighted(holdCodes),
    is_strict: (s) => s.random.chance(0.2),
    held_at: justNow,
    held_by_id: (s) => (s.random.chance(0.8) ? staff.systemUser : agent(s)),
    previous_billing_options_id: (s) => s.integer('billing options', 0),
    new_billing_options_id: (s) => s.integer('billing options', 1),
    support_user_id: agent,
    assigned_at: justNow,
    invoice_event_id: (s) => s.integer('invoice event'),
    status_code: (s) => externalStatuses[externalStatus(s)],
    external_status_id: (s) => s.integer('external status'),
    pathway_id: (s) => s.uuid('pathway'),
    traversal_attempt_id: (s) => s.integer('traversal attempt'),
    traversal_attempt_context: (s) => ({ statement_id: documentId(s) }),
    trigger_id: (s) => (s.type === 'integer' ? s.integer('trigger') : s.uuid('trigger')),
    failed_action_name: (s) => failure(s).action,
    failed_action_error: (s) => failure(s).error,
    failed_at: justNow,
    succeeded_at: justNow,
    run_identifier: (s) => `PIS-${formatDay(s.today).slice(0, 7).replace('-', '')}-1`,
    s3_key_prefix: (s) => `portfolio-summaries/${formatDay(s.today).slice(0, 7).replace('-', '/')}/`,
    summary_count: (s) => s.random.integer(1, 400),
    errors: (s) => [s.random.pick(primingErrors)],
    rebate_period_id: (s) => s.integer('rebate period'),
    rebate_type: (s) => s.random.weighted(rebateTypes),
    is_application_accepted: (s) => s.random.chance(0.2),
    decline_reason: (s) => s.random.weighted(rebateDeclineReasons),
    source_id: (s) => s.integer('entry source'),
    payment_date: dateWithin(-3, 0),
    template_code: (s) => s.random.weighted(templates),
  },
  shapes: {
    BillingAccount: { number: accountNumber },
    PaymentsAccount: { number: accountNumber },
    Ledger: ledger(),
    PaymentsLedger: ledger(),
    LedgerEntry: {
      id: (s) => s.integer('entry'),
      ...entryFlags(() => false),
      source_type: (s) => entrySources[entryKind(s)],
    },
    LedgerEntryRemoval: {
      id: (s) => s.integer('entry'),
      amount: pence(amounts.monthlyBill),
      ...entryFlags(() => true),
      source_reason: (s) => s.random.weighted(removalReasons),
    },
    ChargePeriod: {
      start_at: (s) => localMidnight(chargePeriod(s).from),
      end_at: (s) => localMidnight(chargePeriod(s).to),
    },
    Payment: {
      id: (s) => s.integer('entry'),
      description: () => 'Direct debit',
      failure_reason: (s) => s.random.weighted(paymentFailures),
    },
  },
  events: {
    'billing.issuance.external_status.created': { status: externalStatus },
    'billing.portfolio_invoice_summary.completed': { s3_bucket: () => buckets.billing },
    // A scheme runs for a winter.
    'billing.rebate.*': {
      effective_from: (s) => formatDay(s.today - rebateAge(s)),
      effective_to: (s) => formatDay(s.today - rebateAge(s) + 182),
    },
    'charging.priming.errored': {
      period_start: (s) => formatDay(chargePeriod(s).from),
      period_end: (s) => formatDay(chargePeriod(s).to),
    },
  },
};

function ledger(): Rules {
  return { number: (s) => s.number('ledger'), id: (s) => s.integer('ledger') };
}

/** Exactly one of the first four is true. An entry that was removed is the reversed one. */
function entryFlags(isReversed: (scene: Scene) => boolean): Rules {
  return {
    is_charge: (s) => entryKind(s) === 'charge',
    is_credit: (s) => entryKind(s) === 'credit',
    is_payment: (s) => entryKind(s) === 'payment',
    is_repayment: (s) => entryKind(s) === 'repayment',
    is_reversal: () => false,
    is_reversed: isReversed,
  };
}

function entryKind(subject: Subject): EntryKind {
  return subject.once('kind of entry', (random) => random.weighted(entryKinds));
}

/** A bill has one id, whatever the field is called. */
function documentId(subject: Subject): number {
  return subject.integer('statement');
}

function documentIdentifier(subject: Subject): string {
  const number = String(documentId(subject) % 100_000_000).padStart(8, '0');
  return `BD-${formatDay(subject.today).slice(0, 4)}-${number}`;
}

function externalStatus(subject: Subject): ExternalStatus {
  return subject.once('external status', (random) => anyKey(random, externalStatuses));
}

function failure(subject: Subject): { action: string; error: string } {
  return subject.once('billing failure', (random) => {
    const action = anyKey(random, billingFailures);
    return { action, error: random.pick<string>(billingFailures[action]) };
  });
}

function rebateAge(subject: Subject): number {
  return subject.once('age of the rebate', (random) => random.integer(5, 120));
}
