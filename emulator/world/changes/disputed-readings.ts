import type { RandomStream } from '../../engine/random.js';
import type { EventType } from '../../../catalogue/index.js';
import type { Occurrence } from '../../engine/scenario.js';
import { type Day, formatDay } from '../../engine/time.js';
import { addressOf } from '../addresses.js';
import type { Account, Cell } from '../cell.js';
import { gasMeter } from '../meters.js';
import { occurrence } from '../occurrence.js';
import type { Supply } from '../supplies.js';
import {
  disputeComments,
  disputeCriteria,
  disputeResponses,
  type DisputeStage,
  rootCauses,
} from '../vocabulary/disputes.js';
import { disputeContact, ourself } from '../vocabulary/participants.js';
import type { OtherSupplier } from '../vocabulary/participants.js';

/** Two suppliers arguing about the reading on which a gas customer changed from one to the other. */
export interface Dispute {
  readonly account: Account;
  /** What stays the same in all that is said about it. */
  readonly subject: Readonly<ReturnType<typeof describe>>;
  readonly isGain: boolean;
  readonly criteria: keyof typeof disputeCriteria;
  readonly rootCause: keyof typeof rootCauses;
  /** What the register showed, as the other side has it, and as whoever speaks last has it. */
  readonly disputed: Reading;
  proposed: Reading;
  /** Somebody has proposed another reading than the first. */
  hasAlternative: boolean;
}

interface Reading {
  readonly value: number;
  readonly isActual: boolean;
}

export interface NewDispute {
  /** The supply whose first (`isGain`) or last reading it is about. */
  readonly supply: Supply;
  readonly transferredOn: Day;
  readonly isGain: boolean;
  readonly startedBy: 'us' | 'them';
  readonly other: OtherSupplier;
}

/** A reading to argue about. Nothing is published until one of the two says something. */
export function findDispute(cell: Cell, random: RandomStream, dispute: NewDispute): Dispute {
  const meter = gasMeter(cell, dispute.supply.supplyPoint);
  const right = meter.readingOn(dispute.transferredOn);
  return {
    account: dispute.supply.account,
    subject: describe(cell, dispute),
    isGain: dispute.isGain,
    criteria: random.weighted(disputeCriteria),
    rootCause: random.weighted(rootCauses),
    disputed: { value: besides(right, meter.digits, random), isActual: random.chance(0.4) },
    proposed: { value: right, isActual: random.chance(0.7) },
    hasAlternative: false,
  };
}

/** What can be said of a dispute: types of event whose payload is the whole dispute. */
export type DisputeMove = Exclude<
  Extract<EventType, `meterpoint.gas.disputed_${string}`>,
  'meterpoint.gas.disputed_opening_reading.accepted.other_supplier'
>;

/** One side makes a move; an alternative replaces the reading proposed so far. */
export function moveDispute(dispute: Dispute, move: DisputeMove, random: RandomStream): Occurrence {
  const stage = stageOf(move);
  if (stage === 'alternative_proposed') {
    const { value, isActual } = dispute.proposed;
    dispute.proposed = { value: besides(value, dispute.subject.meter_digits, random), isActual };
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
    comments: random.pick(disputeComments),
    is_gain: dispute.isGain,
  };
  return occurrence(move, dispute.account.number, { v1: payload });
}

/** The other supplier accepts our opening reading, and says so in fewer words. */
export function acceptOpening({ account, subject }: Dispute): Occurrence {
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
    supplier: ourself.gas,
    reference_number: cell.ids.integer('gas dispute'),
    transfer_date: formatDay(transferredOn),
    initiating_organisation: startedBy === 'us' ? ourself.gas : other.gas,
    io_contact_name: disputeContact,
    recipient_organisation: startedBy === 'us' ? other.gas : ourself.gas,
    ro_contact_name: disputeContact,
    meter_serial: meter.serial,
    meter_digits: meter.digits,
    house_name_number: buildingNumber === 0 ? street : String(buildingNumber),
    postcode,
  };
}

/** A reading 50 to 900 units away that the register could show. */
function besides(reading: number, digits: number, random: RandomStream): number {
  const distance = random.integer(50, 900);
  const up = random.chance(0.5) ? reading + distance < 10 ** digits : reading < distance;
  return up ? reading + distance : reading - distance;
}

function stageOf(move: DisputeMove): DisputeStage {
  const stages: readonly DisputeStage[] = ['started', 'queried', 'alternative_proposed', 'accepted'];
  return stages.find((stage) => move.includes(`.${stage}.`)) ?? 'started';
}

/** `A01` agrees with what was said first, `A02` with the alternative; a query or an alternative gives its reason. */
function codeOf(stage: DisputeStage, hasAlternative: boolean, random: RandomStream): string {
  if (stage === 'accepted') return hasAlternative ? 'A02' : 'A01';
  return random.pick<string>(disputeResponses[stage].codes);
}
