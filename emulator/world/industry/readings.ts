import type { EventType } from 'busbar/catalogue';
import type { RandomStream } from '../../engine/random.js';
import { type Day, formatDay, formatInstant } from '../../engine/time.js';
import { addressOf } from '../customer/addresses.js';
import type { Account, Cell, SupplyPoint } from '../cell.js';
import { gasMeter, isSmart } from './meters.js';
import { occurrence } from '../occurrence.js';
import type { Supply } from '../supplies.js';
import {
  disputeComments,
  disputeCriteria,
  disputeResponses,
  type DisputeStage,
  type issueSources,
  type ReadingIssue,
  readingIssues,
  readingTypes,
  rootCauseComments,
  rootCauses,
} from './reading-words.js';
import { disputeContact, type OtherSupplier, ownSupplier } from './participants.js';

/** A dispute of two suppliers about the gas reading at a change of supplier. Key of its events: account number. */
export interface Dispute {
  readonly account: Account;
  /** The common part of its events. */
  readonly subject: Readonly<ReturnType<typeof describe>>;
  readonly isGain: boolean;
  readonly criteria: keyof typeof disputeCriteria;
  readonly rootCause: keyof typeof rootCauses;
  /** The original reading and the one proposed last. */
  readonly disputed: Reading;
  proposed: Reading;
  /** Whether a supplier has proposed an alternative reading. */
  hasAlternative: boolean;
}

interface Reading {
  readonly value: number;
  readonly isActual: boolean;
}

interface NewDispute {
  /** The supply with the disputed reading: its first (`isGain`) or its last. */
  readonly supply: Supply;
  readonly transferredOn: Day;
  readonly isGain: boolean;
  readonly startedBy: 'us' | 'them';
  readonly other: OtherSupplier;
}

/** Creates a dispute. Its first move publishes it. */
export function findDispute(cell: Cell, random: RandomStream, dispute: NewDispute): Dispute {
  const meter = gasMeter(cell, dispute.supply.supplyPoint);
  const right = meter.readingOn(dispute.transferredOn);
  const criteria = random.weighted(disputeCriteria);
  const rootCause = random.weighted(rootCauses);
  return {
    account: dispute.supply.account,
    subject: describe(cell, dispute),
    isGain: dispute.isGain,
    criteria,
    rootCause,
    disputed: {
      value: otherReading(right, meter.digits, random),
      isActual: rootCause !== 'ESTIMATED_READ' && random.chance(0.8),
    },
    proposed: { value: right, isActual: random.chance(0.7) },
    hasAlternative: false,
  };
}

/** Types of events whose payload is the whole dispute. */
export type DisputeMove = Exclude<
  Extract<EventType, `meterpoint.gas.disputed_${string}`>,
  'meterpoint.gas.disputed_opening_reading.accepted.other_supplier'
>;

/** Publishes a move of either side. An alternative replaces the reading proposed so far. */
export function moveDispute(dispute: Dispute, move: DisputeMove, random: RandomStream) {
  const stage = stageOf(move);
  if (stage === 'alternative_proposed') {
    const { value, isActual } = dispute.proposed;
    dispute.proposed = { value: otherReading(value, dispute.subject.meter_digits, random), isActual };
    dispute.hasAlternative = true;
  }
  const { status } = disputeResponses[stage];
  const { disputed, proposed } = dispute;
  const payload = {
    ...dispute.subject,
    disputed_reading: disputed.value,
    disputed_reading_is_actual: disputed.isActual,
    proposed_reading: proposed.value,
    proposed_reading_is_actual: proposed.isActual,
    status_response: status,
    root_cause: dispute.rootCause,
    rejection_acceptance_code: codeOf(stage, dispute.hasAlternative, random),
    criteria: dispute.criteria,
    comments: random.pick([rootCauseComments[dispute.rootCause], ...disputeComments]),
    is_gain: dispute.isGain,
  };
  return occurrence(move, dispute.account.number, { v1: payload });
}

/** Publishes that the other supplier accepts our opening reading. The payload has only the parties. */
export function acceptOpening({ account, subject }: Dispute) {
  const { meter_serial: _s, meter_digits: _d, house_name_number: _h, postcode: _p, ...parties } = subject;
  return occurrence('meterpoint.gas.disputed_opening_reading.accepted.other_supplier', account.number, {
    v1: parties,
  });
}

function describe(cell: Cell, { supply, transferredOn, startedBy, other }: NewDispute) {
  const meter = gasMeter(cell, supply.supplyPoint);
  const { buildingNumber, street, postcode } = addressOf(cell, supply.property);
  return {
    mprn: supply.supplyPoint.identifier,
    supplier: ownSupplier.gas,
    reference_number: cell.ids.integer('gas dispute'),
    transfer_date: formatDay(transferredOn),
    initiating_organisation: startedBy === 'us' ? ownSupplier.gas : other.gas,
    io_contact_name: disputeContact,
    recipient_organisation: startedBy === 'us' ? other.gas : ownSupplier.gas,
    ro_contact_name: disputeContact,
    meter_serial: meter.serial,
    meter_digits: meter.digits,
    house_name_number: buildingNumber === 0 ? street : String(buildingNumber),
    postcode,
  };
}

/** Draws a possible reading that is 50 to 900 units away. */
function otherReading(reading: number, digits: number, random: RandomStream): number {
  const distance = random.integer(50, 900);
  const up = random.chance(0.5) ? reading + distance < 10 ** digits : reading < distance;
  return up ? reading + distance : reading - distance;
}

function stageOf(move: DisputeMove): DisputeStage {
  const stages: readonly DisputeStage[] = ['started', 'queried', 'alternative_proposed', 'accepted'];
  return stages.find((stage) => move.includes(`.${stage}.`)) ?? 'started';
}

/** Returns the response code: `A01` accepts the first reading, `A02` the alternative, others are reasons. */
function codeOf(stage: DisputeStage, hasAlternative: boolean, random: RandomStream): string {
  if (stage === 'accepted') return hasAlternative ? 'A02' : 'A01';
  return random.pick<string>(disputeResponses[stage].codes);
}

/** An issue with the readings of a supply point. Key of its events: account number. */
interface DataQualityIssue {
  readonly account: Account;
  readonly facts: Readonly<ReturnType<typeof describeIssue>>;
}

export function openIssue(
  cell: Cell,
  account: Account,
  issue: {
    readonly supplyPoint: SupplyPoint;
    readonly from: Day;
    readonly to: Day;
    readonly random: RandomStream;
  },
) {
  const facts = describeIssue(cell, issue);
  const requested = occurrence('meter_data_quality.resolution_requested', account.number, {
    v1: { ...facts, issue_status: 'OPEN' },
  });
  return { issue: { account, facts }, requested };
}

export function cancelIssue({ account, facts }: DataQualityIssue, source: keyof typeof issueSources) {
  const v1 = { ...facts, issue_status: 'CANCELLED' };
  return occurrence('meter_data_quality.resolution_cancelled', account.number, { v1, v2: { ...v1, source } });
}

function describeIssue(cell: Cell, { supplyPoint, from, to, random }: Parameters<typeof openIssue>[2]) {
  const category = random.weighted({ CONSUMPTION: 0.6, READS: 0.3, METER_DETAILS: 0.1 } satisfies Record<
    ReadingIssue,
    number
  >);
  const subcategories: readonly string[] = readingIssues[category];
  const isGas = supplyPoint.market === 'GBR_GAS';
  const kind = !isGas ? 'electricity' : isSmart(gasMeter(cell, supplyPoint)) ? 'smartGas' : 'plainGas';
  return {
    issue_id: cell.ids.integer('data quality issue'),
    issue_category: category,
    issue_subcategory: random.pick(subcategories),
    market_supply_point_id: supplyPoint.identifier,
    opened_at: formatInstant(cell.now),
    period_start: formatDay(from),
    period_end: formatDay(to),
    reading_type: random.weighted<string>(readingTypes[kind]),
    utility: isGas ? 'GAS' : 'ELECTRICITY',
  };
}
