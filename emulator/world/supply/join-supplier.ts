import { type Day, formatDay, formatInstant } from '../../engine/time.js';
import {
  type Account,
  type Agreement,
  type Cell,
  newOccupancy,
  type Property,
  type SupplyPoint,
} from '../cell.js';
import { endOf, localMidnight, openEnd } from '../formats.js';
import { releaseHome, reserveHome } from '../customer/customer.js';
import { occurrence } from '../occurrence.js';
import { keepForReversal } from './leave-supplier.js';
import type { Process } from './process-status.js';

/** Activation journey of a supply point, by the subtype of the joining process. */
const activationJourneys = {
  CHANGE_OF_SUPPLIER: 'CHANGE_OF_SUPPLY',
  MOVE_IN: 'CHANGE_OF_TENANCY',
} as const;

/** The joining process of an account at a property. Key of its events: account number. */
export interface JoinProcess extends Process {
  readonly id: number;
  readonly property: Property;
  readonly subtype: keyof typeof activationJourneys;
  /** Supply begins at midnight at the start of this day. */
  startsOn: Day;
}

export function requestJoin(
  cell: Cell,
  joining: {
    readonly account: Account;
    readonly property: Property;
    readonly startsOn: Day;
    /** Default `MOVE_IN`. */
    readonly subtype?: JoinProcess['subtype'];
  },
) {
  const { account, property, startsOn, subtype = 'MOVE_IN' } = joining;
  const join: JoinProcess = {
    id: cell.ids.integer('join'),
    number: cell.ids.number('join'),
    account,
    property,
    subtype,
    startsOn,
    status: 'PENDING',
  };
  reserveHome(cell, property);
  const requested = occurrence('lifecycle.join-supplier.requested', account.number, {
    v1: { ...requestOf(join), requested_at: formatInstant(cell.now) },
  });
  return { join, requested };
}

/** Asks the industry to move the supply point to us. */
export function initiateActivation(join: JoinProcess, supplyPoint: SupplyPoint) {
  return occurrence('lifecycle.join-supplier.activation.initiated', join.account.number, {
    v1: {
      ...processOf(join),
      activation_journey_type: activationJourneys[join.subtype],
      supply_point: { external_identifier: supplyPoint.identifier, market_name: supplyPoint.market },
    },
  });
}

/** Publishes that the supply point is on supply. */
export function completeActivation(join: JoinProcess, supplyPoint: SupplyPoint) {
  return occurrence('lifecycle.join-supplier.activation.completed', join.account.number, {
    v1: {
      ...processOf(join),
      activation_journey_type: activationJourneys[join.subtype],
      supply_point: activated(join, supplyPoint),
    },
  });
}

export function beginSupplyPeriod(cell: Cell, join: JoinProcess, supplyPoint: SupplyPoint) {
  return occurrence('lifecycle.join-supplier.supply-period.created', join.account.number, {
    v1: {
      account_number: join.account.number,
      join_supplier_process_number: join.number,
      supply_point: activated(join, supplyPoint),
      supply_period: {
        id: cell.ids.integer('supply period'),
        supply_start_at: localMidnight(join.startsOn),
        supply_end_at: openEnd,
      },
      contract_references: {},
    },
  });
}

export function recordAgreement(join: JoinProcess, agreement: Agreement) {
  return occurrence('lifecycle.join-supplier.agreement.created', join.account.number, {
    v1: {
      account_number: join.account.number,
      join_supplier_process_number: join.number,
      supply_point: activated(join, agreement.supplyPoint),
      agreements: [
        {
          id: agreement.id,
          valid_from: localMidnight(agreement.from),
          valid_to: endOf(agreement.to),
          product_code: agreement.product,
        },
      ],
      contract_references: {},
    },
  });
}

/**
 * Completes the process after all supply points are on supply: the account occupies the property.
 * @param willReverse Whether no other process may end the occupancy, because this one will be reversed.
 */
export function completeJoin(cell: Cell, join: JoinProcess, willReverse = false) {
  const occupancy = newOccupancy(cell.ids, join.property, join.startsOn);
  if (willReverse) keepForReversal(occupancy);
  join.account.occupancies.push(occupancy);
  join.account.status = 'ACTIVE';
  // A move publishes no status of its joining process before a reversal.
  if (join.status === 'PENDING') join.status = 'COMPLETED';
  releaseHome(cell, join.property);
  return occurrence('lifecycle.join-supplier.completed', join.account.number, {
    v1: {
      ...processOf(join),
      supply_points: join.property.supplyPoints.map((supplyPoint) => activated(join, supplyPoint)),
    },
  });
}

/** Publishes a request to cancel the process before supply begins, or to reverse it after that. */
export function requestJoinEnd(join: JoinProcess, end: 'cancellation' | 'reversal') {
  return occurrence(`lifecycle.join-supplier.${end}-requested`, join.account.number, { v1: requestOf(join) });
}

/** Cancels the process before supply begins. */
export function cancelJoin(cell: Cell, join: JoinProcess) {
  withdraw(join);
  releaseHome(cell, join.property);
  return occurrence('lifecycle.join-supplier.cancelled', join.account.number, { v1: requestOf(join) });
}

/** Reverses the completed process from its beginning. */
export function reverseJoin(join: JoinProcess) {
  const occupancy = join.account.occupancies.find(({ property, to }) => property === join.property && !to);
  if (occupancy !== undefined) occupancy.to = occupancy.from;
  withdraw(join);
  return occurrence('lifecycle.join-supplier.reversed', join.account.number, { v1: requestOf(join) });
}

function processOf(join: JoinProcess) {
  return {
    account_number: join.account.number,
    join_supplier_process_number: join.number,
    subtype: join.subtype,
  };
}

/** A supply point in events before supply has begun. */
function requested(join: JoinProcess, supplyPoint: SupplyPoint) {
  return {
    external_identifier: supplyPoint.identifier,
    market_name: supplyPoint.market,
    requested_supply_start_date: formatDay(join.startsOn),
  };
}

/** A supply point in events after supply has begun. */
function activated(join: JoinProcess, supplyPoint: SupplyPoint) {
  return {
    external_identifier: supplyPoint.identifier,
    market_name: supplyPoint.market,
    confirmed_supply_start_date: formatDay(join.startsOn),
  };
}

function requestOf(join: JoinProcess) {
  const supply_points = join.property.supplyPoints.map((supplyPoint) => requested(join, supplyPoint));
  return { ...processOf(join), supply_points };
}

/** Withdraws the account, unless it occupies another property. One that was supplied before is dormant. */
function withdraw({ account }: JoinProcess): void {
  if (account.occupancies.some(({ to }) => to === undefined)) return;
  account.status = account.occupancies.some(({ from, to }) => from !== to) ? 'DORMANT' : 'WITHDRAWN';
}

export function awaitJoinFlow(
  join: JoinProcess,
  step: 'pre-discovery' | 'pre-activation' | 'post-activation',
) {
  return occurrence(`lifecycle.join-supplier.await-${step}-flow-step.initiated`, join.account.number, {
    v1: processOf(join),
  });
}

/** Publishes that the journey of a supply point awaits a flow before supply begins. */
export function awaitPreActivation(join: JoinProcess, supplyPoint: SupplyPoint) {
  const type = 'lifecycle.join-supplier.supply-point-journey-await-pre-activation-flow-step.initiated';
  return occurrence(type, join.account.number, {
    v1: { ...processOf(join), supply_point: requested(join, supplyPoint) },
  });
}

/** Publishes that the journey of a supply point awaits a flow after supply has begun. */
export function awaitPostActivation(join: JoinProcess, supplyPoint: SupplyPoint) {
  const type = 'lifecycle.join-supplier.supply-point-journey-await-post-activation-flow-step.initiated';
  return occurrence(type, join.account.number, {
    v1: { ...processOf(join), supply_point: activated(join, supplyPoint) },
  });
}

export function acceptTerms({ id, number, account }: JoinProcess) {
  return occurrence('lifecycle.join_supplier.terms-and-conditions.accepted', account.number, {
    v2: { join_supplier_process_id: id, join_supplier_process_number: number },
  });
}

export function ensurePaymentInstructions(
  { id, number, account }: JoinProcess,
  step: 'initiated' | 'completed',
) {
  const type = `lifecycle.join_supplier._ensure_payment_instructions.step_${step}` as const;
  return occurrence(type, account.number, {
    v2: {
      join_supplier_process_id: id,
      join_supplier_process_number: number,
      account_number: account.number,
    },
  });
}

/** Requests security deposits before supply can begin. */
export function demandDeposits({ number, account }: JoinProcess) {
  return occurrence('lifecycle.join_supplier.security_deposits.created', account.number, {
    v1: { join_supplier_process_number: number },
  });
}

export function qualifyForLoyaltyPoints({ today }: Cell, join: JoinProcess) {
  const all = enrolled(join, false);
  return occurrence(
    'lifecycle.enrollment.supply-status-qualifies-account-for-loyalty-point',
    join.account.number,
    {
      v2: {
        join_supplier_process_id: join.id,
        join_supplier_process_number: join.number,
        account_number: join.account.number,
        supply_points_past_ssd: join.startsOn <= today ? all : [],
        all_supply_points: all,
      },
    },
  );
}

export function reverseLoyaltyQualification(join: JoinProcess) {
  const all = enrolled(join, true);
  return occurrence('lifecycle.enrollment.loyalty-points-qualification-reversed', join.account.number, {
    v1: {
      join_supplier_process_number: join.number,
      account_number: join.account.number,
      supply_points_no_longer_coming_on_supply: all,
      all_supply_points: all,
    },
  });
}

function enrolled(join: JoinProcess, wasCancelled: boolean) {
  return join.property.supplyPoints.map(({ identifier, market }) => ({
    market_name: market,
    external_identifier: identifier,
    confirmed_ssd: formatDay(join.startsOn),
    was_cancelled: wasCancelled,
  }));
}
