import type { Occurrence } from '../../engine/scenario.js';
import { type Day, formatDay, formatInstant, type Instant } from '../../engine/time.js';
import type { Account, Cell, Occupancy, SupplyPoint } from '../cell.js';
import { localMidnight } from '../formats.js';
import { occurrence } from '../occurrence.js';
import type { LeaveSubtype } from '../vocabulary/supply.js';
import { changeStatus, type ProcessStatus } from './process-status.js';

/** An account's supply at a property coming to an end. Everything about it has the account as its key. */
export interface LeaveProcess {
  readonly id: number;
  readonly number: string;
  readonly account: Account;
  readonly occupancy: Occupancy;
  readonly subtype: LeaveSubtype;
  /** Where the customer did not ask: the supply point whose loss set the process off. */
  readonly lost: SupplyPoint | undefined;
  /** The last moment of supply is midnight at the start of this day. */
  endsOn: Day;
  status: ProcessStatus;
}

/** The customer says that they are leaving, or the industry that another supplier takes a supply point (`lost`). */
export function requestLeave(
  cell: Cell,
  leaving: {
    readonly account: Account;
    readonly occupancy: Occupancy;
    readonly endsOn: Day;
    readonly at: Instant;
    /** Default `MOVE_OUT`. */
    readonly subtype?: LeaveSubtype;
    /** Default none. */
    readonly lost?: SupplyPoint;
  },
): { leave: LeaveProcess; requested: Occurrence } {
  const leave: LeaveProcess = {
    id: cell.ids.integer('leave'),
    number: cell.ids.number('leave'),
    account: leaving.account,
    occupancy: leaving.occupancy,
    subtype: leaving.subtype ?? 'MOVE_OUT',
    lost: leaving.lost,
    endsOn: leaving.endsOn,
    status: 'PENDING',
  };
  underWay.add(leave.occupancy);
  const v2 = { ...plan(leave), requested_at: formatInstant(leaving.at) };
  const requested = occurrence('lifecycle.leave-supplier.requested', leave.account.number, {
    v2,
    v3: { ...v2, leave_supplier_process_number: leave.number },
  });
  return { leave, requested };
}

/** Whether a process is about to end, or has ended, the account's time there. */
export function isLeaving(occupancy: Occupancy): boolean {
  return underWay.has(occupancy);
}

/** Supply is to end on another day. */
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
  const { account, occupancy } = leave;
  occupancy.to = leave.endsOn;
  if (account.occupancies.every(({ to }) => to !== undefined)) account.status = 'DORMANT';
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

/** The loss is objected to, or the customer stays after all: before supply has ended. */
export function requestLeaveCancellation(leave: LeaveProcess): Occurrence {
  return occurrence('lifecycle.leave-supplier.cancellation-requested', leave.account.number, {
    v2: { ...processOf(leave), supply_points: leaving(leave) },
  });
}

export function cancelLeave(leave: LeaveProcess): Occurrence {
  underWay.delete(leave.occupancy);
  return occurrence('lifecycle.leave-supplier.cancelled', leave.account.number, {
    v2: { ...processOf(leave), supply_points: leaving(leave) },
  });
}

/** Somebody finds that the supply should not have gone. */
export function requestLeaveReversal(leave: LeaveProcess): Occurrence {
  return occurrence('lifecycle.leave-supplier.reversal-requested', leave.account.number, {
    v2: { ...processOf(leave), supply_points: leaving(leave) },
  });
}

/** The supply comes back to the account, as if it had never gone. */
export function reverseLeave(leave: LeaveProcess): Occurrence {
  leave.occupancy.to = undefined;
  underWay.delete(leave.occupancy);
  return changeLeaveStatus(leave, 'REVERSED');
}

export function changeLeaveStatus(leave: LeaveProcess, status: ProcessStatus): Occurrence {
  return changeStatus(leave, leave.account.number, status);
}

/** A supply point as events show it once it is off supply. */
export function terminated(leave: LeaveProcess, supplyPoint: SupplyPoint) {
  return {
    external_identifier: supplyPoint.identifier,
    market_name: supplyPoint.market,
    confirmed_supply_end_date: formatDay(leave.endsOn),
  };
}

/** A supply point as events show it before it is off supply. */
export function leavingSupply({ identifier, market }: SupplyPoint) {
  return { market_identifier: identifier, external_identifier: identifier, market_name: market };
}

const underWay = new WeakSet<Occupancy>();

function processOf(leave: LeaveProcess) {
  return {
    account_number: leave.account.number,
    leave_supplier_process_id: leave.id,
    leave_supplier_process_number: leave.number,
  };
}

function leaving({ occupancy }: LeaveProcess) {
  return occupancy.property.supplyPoints.map(leavingSupply);
}

function plan(leave: LeaveProcess) {
  return {
    account_number: leave.account.number,
    leave_supplier_process_id: leave.id,
    leave_supplier_process_subtype: leave.subtype,
    supply_points: leaving(leave),
    requested_supply_end_at: localMidnight(leave.endsOn),
    requested_supply_end_date: formatDay(leave.endsOn),
    is_passive: leave.lost !== undefined,
    ...(leave.lost && { passive_loss_instigated_supply_point_id: leave.lost.id }),
  };
}
