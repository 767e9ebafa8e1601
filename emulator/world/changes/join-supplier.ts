import type { Occurrence } from '../../engine/scenario.js';
import { type Day, formatDay, formatInstant, type Instant } from '../../engine/time.js';
import {
  type Account,
  type Agreement,
  type Cell,
  newOccupancy,
  type Property,
  type SupplyPoint,
} from '../cell.js';
import { localMidnight, openEnd } from '../formats.js';
import { releaseHome, reserveHome } from '../homes.js';
import { occurrence } from '../occurrence.js';
import { activationJourneys, type JoinSubtype } from '../vocabulary/supply.js';
import { changeStatus, type ProcessStatus } from './process-status.js';

/** An account coming on supply at a property. Everything about it has the account as its key. */
export interface JoinProcess {
  readonly id: number;
  readonly number: string;
  readonly account: Account;
  readonly property: Property;
  readonly subtype: JoinSubtype;
  /** Supply begins at midnight at the start of this day. */
  startsOn: Day;
  status: ProcessStatus;
}

export function requestJoin(
  cell: Cell,
  joining: {
    readonly account: Account;
    readonly property: Property;
    readonly startsOn: Day;
    readonly at: Instant;
    /** Default `MOVE_IN`. */
    readonly subtype?: JoinSubtype;
  },
): { join: JoinProcess; requested: Occurrence } {
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
    v1: { ...processOf(join), supply_points: askedFor(join), requested_at: formatInstant(joining.at) },
  });
  return { join, requested };
}

/** The industry is asked to move the supply point to us. */
export function initiateActivation(join: JoinProcess, supplyPoint: SupplyPoint): Occurrence {
  return occurrence('lifecycle.join-supplier.activation.initiated', join.account.number, {
    v1: {
      ...processOf(join),
      activation_journey_type: activationJourneys[join.subtype],
      supply_point: { external_identifier: supplyPoint.identifier, market_name: supplyPoint.market },
    },
  });
}

/** The supply point is on supply. */
export function completeActivation(join: JoinProcess, supplyPoint: SupplyPoint): Occurrence {
  return occurrence('lifecycle.join-supplier.activation.completed', join.account.number, {
    v1: {
      ...processOf(join),
      activation_journey_type: activationJourneys[join.subtype],
      supply_point: activated(join, supplyPoint),
    },
  });
}

/** The time during which we supply the supply point has begun. */
export function beginSupplyPeriod(cell: Cell, join: JoinProcess, supplyPoint: SupplyPoint): Occurrence {
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

/** The process has its agreement for the supply point. */
export function recordAgreement(join: JoinProcess, agreement: Agreement): Occurrence {
  return occurrence('lifecycle.join-supplier.agreement.created', join.account.number, {
    v1: {
      account_number: join.account.number,
      join_supplier_process_number: join.number,
      supply_point: activated(join, agreement.supplyPoint),
      agreements: [
        {
          id: agreement.id,
          valid_from: localMidnight(agreement.from),
          valid_to: openEnd,
          product_code: agreement.product,
        },
      ],
      contract_references: {},
    },
  });
}

/** Every supply point is on supply: the account lives there now. */
export function completeJoin(cell: Cell, join: JoinProcess): Occurrence {
  join.account.occupancies.push(newOccupancy(cell.ids, join.property, join.startsOn));
  join.account.status = 'ACTIVE';
  releaseHome(cell, join.property);
  return occurrence('lifecycle.join-supplier.completed', join.account.number, {
    v1: {
      ...processOf(join),
      supply_points: join.property.supplyPoints.map((supplyPoint) => activated(join, supplyPoint)),
    },
  });
}

/** The customer thinks better of it before supply has begun. */
export function requestJoinCancellation(join: JoinProcess): Occurrence {
  return occurrence('lifecycle.join-supplier.cancellation-requested', join.account.number, {
    v1: { ...processOf(join), supply_points: askedFor(join) },
  });
}

/** Nothing comes on supply: the account was never more than asked for. */
export function cancelJoin(cell: Cell, join: JoinProcess): Occurrence {
  withdraw(join);
  releaseHome(cell, join.property);
  return occurrence('lifecycle.join-supplier.cancelled', join.account.number, {
    v1: { ...processOf(join), supply_points: askedFor(join) },
  });
}

/** Somebody finds that the supply should not have come to us. */
export function requestJoinReversal(join: JoinProcess): Occurrence {
  return occurrence('lifecycle.join-supplier.reversal-requested', join.account.number, {
    v1: { ...processOf(join), supply_points: askedFor(join) },
  });
}

/** The supply goes back, as if it had never come. */
export function reverseJoin(join: JoinProcess): Occurrence {
  const occupancy = join.account.occupancies.find(({ property, to }) => property === join.property && !to);
  if (occupancy !== undefined) occupancy.to = occupancy.from;
  withdraw(join);
  return occurrence('lifecycle.join-supplier.reversed', join.account.number, {
    v1: { ...processOf(join), supply_points: askedFor(join) },
  });
}

export function changeJoinStatus(join: JoinProcess, status: ProcessStatus): Occurrence {
  return changeStatus(join, join.account.number, status);
}

/** How events name the process. */
export function processOf(join: JoinProcess) {
  return {
    account_number: join.account.number,
    join_supplier_process_number: join.number,
    subtype: join.subtype,
  };
}

/** A supply point as events show it before supply has begun. */
export function requested(join: JoinProcess, supplyPoint: SupplyPoint) {
  return {
    external_identifier: supplyPoint.identifier,
    market_name: supplyPoint.market,
    requested_supply_start_date: formatDay(join.startsOn),
  };
}

/** A supply point as events show it from the beginning of supply on. */
export function activated(join: JoinProcess, supplyPoint: SupplyPoint) {
  return {
    external_identifier: supplyPoint.identifier,
    market_name: supplyPoint.market,
    confirmed_supply_start_date: formatDay(join.startsOn),
  };
}

function askedFor(join: JoinProcess) {
  return join.property.supplyPoints.map((supplyPoint) => requested(join, supplyPoint));
}

/** An account that lives somewhere else as well stays what it is. */
function withdraw({ account }: JoinProcess): void {
  if (account.occupancies.every(({ to }) => to !== undefined)) account.status = 'WITHDRAWN';
}
