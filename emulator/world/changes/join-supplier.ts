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
import { occurrence } from '../occurrence.js';

/** An account coming on supply at a property. */
export interface JoinProcess {
  readonly id: number;
  readonly number: string;
  readonly account: Account;
  readonly property: Property;
  readonly subtype: 'MOVE_IN';
  startsOn: Day;
}

export function requestJoin(
  cell: Cell,
  joining: {
    readonly account: Account;
    readonly property: Property;
    readonly startsOn: Day;
    readonly at: Instant;
  },
): { join: JoinProcess; requested: Occurrence } {
  const { account, property, startsOn } = joining;
  const id = cell.ids.integer('join');
  const join: JoinProcess = {
    id,
    number: cell.ids.number('join'),
    account,
    property,
    subtype: 'MOVE_IN',
    startsOn,
  };
  const requested = occurrence('lifecycle.join-supplier.requested', account.number, {
    v1: {
      account_number: account.number,
      join_supplier_process_number: join.number,
      subtype: join.subtype,
      supply_points: property.supplyPoints.map(({ identifier, market }) => ({
        external_identifier: identifier,
        market_name: market,
        requested_supply_start_date: formatDay(startsOn),
      })),
      requested_at: formatInstant(joining.at),
    },
  });
  return { join, requested };
}

/** The supply point is on supply. */
export function completeActivation(join: JoinProcess, supplyPoint: SupplyPoint): Occurrence {
  return occurrence('lifecycle.join-supplier.activation.completed', join.account.number, {
    v1: {
      account_number: join.account.number,
      join_supplier_process_number: join.number,
      subtype: join.subtype,
      activation_journey_type: 'CHANGE_OF_TENANCY',
      supply_point: activated(join, supplyPoint),
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
  return occurrence('lifecycle.join-supplier.completed', join.account.number, {
    v1: {
      account_number: join.account.number,
      join_supplier_process_number: join.number,
      subtype: join.subtype,
      supply_points: join.property.supplyPoints.map((supplyPoint) => activated(join, supplyPoint)),
    },
  });
}

function activated(join: JoinProcess, supplyPoint: SupplyPoint) {
  return {
    external_identifier: supplyPoint.identifier,
    market_name: supplyPoint.market,
    confirmed_supply_start_date: formatDay(join.startsOn),
  };
}
