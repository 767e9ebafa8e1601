import type { Occurrence } from '../../engine/scenario.js';
import { type Day, formatDay, formatInstant, type Instant } from '../../engine/time.js';
import type { Account, Cell, Occupancy, SupplyPoint } from '../cell.js';
import { localMidnight } from '../formats.js';
import { occurrence } from '../occurrence.js';
import { changeStatus, type ProcessStatus } from './process-status.js';

/** An account's supply at a property coming to an end. */
export interface LeaveProcess {
  readonly id: number;
  readonly number: string;
  readonly account: Account;
  readonly occupancy: Occupancy;
  readonly subtype: 'MOVE_OUT';
  /** The last moment of supply is midnight at the start of this day. */
  endsOn: Day;
  status: ProcessStatus;
}

/** The customer says that they are leaving. */
export function requestLeave(
  cell: Cell,
  leaving: {
    readonly account: Account;
    readonly occupancy: Occupancy;
    readonly endsOn: Day;
    readonly at: Instant;
  },
): { leave: LeaveProcess; requested: Occurrence } {
  const leave: LeaveProcess = {
    id: cell.ids.integer('leave'),
    number: cell.ids.number('leave'),
    account: leaving.account,
    occupancy: leaving.occupancy,
    subtype: 'MOVE_OUT',
    endsOn: leaving.endsOn,
    status: 'PENDING',
  };
  const v2 = { ...plan(leave), requested_at: formatInstant(leaving.at) };
  const requested = occurrence('lifecycle.leave-supplier.requested', leave.account.number, {
    v2,
    v3: { ...v2, leave_supplier_process_number: leave.number },
  });
  return { leave, requested };
}

/** The customer names another day. */
export function updateLeave(leave: LeaveProcess, endsOn: Day, at: Instant): Occurrence {
  leave.endsOn = endsOn;
  const v2 = { ...plan(leave), updated_at: formatInstant(at) };
  return occurrence('lifecycle.leave-supplier.updated', leave.account.number, {
    v2,
    v3: { ...v2, leave_supplier_process_number: leave.number },
  });
}

export function initiateTermination(leave: LeaveProcess, supplyPoint: SupplyPoint): Occurrence {
  return occurrence('lifecycle.leave-supplier.termination.initiated', leave.account.number, {
    v1: {
      account_number: leave.account.number,
      leave_supplier_process_number: leave.number,
      leave_supplier_process_subtype: leave.subtype,
      supply_point: {
        external_identifier: supplyPoint.identifier,
        market_name: supplyPoint.market,
        requested_supply_end_date: formatDay(leave.endsOn),
      },
    },
  });
}

/** The supply point is off supply. */
export function confirmTermination(leave: LeaveProcess, supplyPoint: SupplyPoint): Occurrence {
  return occurrence('lifecycle.leave-supplier.termination.confirmed', leave.account.number, {
    v2: {
      account_number: leave.account.number,
      leave_supplier_process_id: leave.id,
      leave_supplier_process_number: leave.number,
      leave_supplier_process_subtype: leave.subtype,
      supply_point: terminated(leave, supplyPoint),
    },
  });
}

/** Every supply point is off supply: the account does not live there any more. */
export function completeLeave(leave: LeaveProcess): Occurrence {
  leave.occupancy.to = leave.endsOn;
  return occurrence('lifecycle.leave-supplier.completed', leave.account.number, {
    v3: {
      account_number: leave.account.number,
      leave_supplier_process_id: leave.id,
      leave_supplier_process_number: leave.number,
      leave_supplier_process_subtype: leave.subtype,
      supply_points: leave.occupancy.property.supplyPoints.map((supplyPoint) =>
        terminated(leave, supplyPoint),
      ),
    },
  });
}

export function changeLeaveStatus(leave: LeaveProcess, status: ProcessStatus): Occurrence {
  return changeStatus(leave, leave.account.number, status);
}

function plan(leave: LeaveProcess) {
  return {
    account_number: leave.account.number,
    leave_supplier_process_id: leave.id,
    leave_supplier_process_subtype: leave.subtype,
    supply_points: leave.occupancy.property.supplyPoints.map(({ identifier, market }) => ({
      market_identifier: identifier,
      external_identifier: identifier,
      market_name: market,
    })),
    requested_supply_end_at: localMidnight(leave.endsOn),
    requested_supply_end_date: formatDay(leave.endsOn),
    is_passive: false,
  };
}

function terminated(leave: LeaveProcess, supplyPoint: SupplyPoint) {
  return {
    external_identifier: supplyPoint.identifier,
    market_name: supplyPoint.market,
    confirmed_supply_end_date: formatDay(leave.endsOn),
  };
}
