import type { Occurrence } from '../../engine/scenario.js';
import { type Day, formatDay, formatInstant } from '../../engine/time.js';
import type { Account, Cell, Occupancy, SupplyPoint } from '../cell.js';
import { localMidnight } from '../formats.js';
import { occurrence } from '../occurrence.js';
import { changeStatus, type Process } from './process-status.js';

/** The leaving process of an account at a property. Key of its events: account number. */
export interface LeaveProcess extends Process {
  readonly id: number;
  readonly occupancy: Occupancy;
  /** A change of supplier is passive: the customer did not ask us. */
  readonly subtype: 'CHANGE_OF_SUPPLIER' | 'MOVE_OUT' | 'DEBT_DISCONNECTION';
  /** The supply point whose loss started a passive process. */
  readonly lost: SupplyPoint | undefined;
  /** Supply ends at midnight at the start of this day. */
  endsOn: Day;
}

/** Starts a leaving process, on the customer's request or because another supplier takes a supply point (`lost`). */
export function requestLeave(
  cell: Cell,
  leaving: {
    readonly account: Account;
    readonly occupancy: Occupancy;
    readonly endsOn: Day;
    /** Default `MOVE_OUT`. */
    readonly subtype?: LeaveProcess['subtype'];
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
  const v2 = { ...plan(leave), requested_at: formatInstant(cell.now) };
  const requested = occurrence('lifecycle.leave-supplier.requested', leave.account.number, {
    v2,
    v3: { ...v2, leave_supplier_process_number: leave.number },
  });
  return { leave, requested };
}

/** Whether a process ends, will end, or has ended the occupancy. */
export function isLeaving(occupancy: Occupancy): boolean {
  return underWay.has(occupancy);
}

/** Lets no leaving process end the occupancy, because the process that began it will be reversed. */
export function keepForReversal(occupancy: Occupancy): void {
  underWay.add(occupancy);
}

/** Moves the end of supply to another day. */
export function updateLeave(cell: Cell, leave: LeaveProcess, endsOn: Day) {
  leave.endsOn = endsOn;
  const v2 = { ...plan(leave), updated_at: formatInstant(cell.now) };
  return occurrence('lifecycle.leave-supplier.updated', leave.account.number, {
    v2,
    v3: { ...v2, leave_supplier_process_number: leave.number },
  });
}

export function initiateTermination(leave: LeaveProcess, supplyPoint: SupplyPoint) {
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

/** Publishes that the supply point is off supply. */
export function confirmTermination(leave: LeaveProcess, supplyPoint: SupplyPoint) {
  return occurrence('lifecycle.leave-supplier.termination.confirmed', leave.account.number, {
    v2: {
      ...processOf(leave),
      leave_supplier_process_subtype: leave.subtype,
      supply_point: terminated(leave, supplyPoint),
    },
  });
}

/** Completes the process after all supply points are off supply, and ends the occupancy. */
export function completeLeave(leave: LeaveProcess): Occurrence {
  const { account, occupancy } = leave;
  occupancy.to = leave.endsOn;
  if (account.occupancies.every(({ to }) => to !== undefined)) account.status = 'DORMANT';
  return occurrence('lifecycle.leave-supplier.completed', leave.account.number, {
    v3: {
      ...processOf(leave),
      leave_supplier_process_subtype: leave.subtype,
      supply_points: leave.occupancy.property.supplyPoints.map((supplyPoint) =>
        terminated(leave, supplyPoint),
      ),
    },
  });
}

/** Publishes a request to cancel the process before supply ends, or to reverse it after that. */
export function requestLeaveEnd(leave: LeaveProcess, end: 'cancellation' | 'reversal') {
  return occurrence(`lifecycle.leave-supplier.${end}-requested`, leave.account.number, {
    v2: { ...processOf(leave), supply_points: leaving(leave) },
  });
}

/** Cancels the process before supply ends. */
export function cancelLeave(leave: LeaveProcess): Occurrence {
  underWay.delete(leave.occupancy);
  return occurrence('lifecycle.leave-supplier.cancelled', leave.account.number, {
    v2: { ...processOf(leave), supply_points: leaving(leave) },
  });
}

/** Reverses the completed process: the occupancy continues. */
export function reverseLeave(leave: LeaveProcess) {
  leave.occupancy.to = undefined;
  underWay.delete(leave.occupancy);
  return changeStatus(leave, 'REVERSED');
}

/** A supply point in events after it is off supply. */
function terminated(leave: LeaveProcess, supplyPoint: SupplyPoint) {
  return {
    external_identifier: supplyPoint.identifier,
    market_name: supplyPoint.market,
    confirmed_supply_end_date: formatDay(leave.endsOn),
  };
}

/** A supply point in events before it is off supply. */
function leavingSupply({ identifier, market }: SupplyPoint) {
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

export function awaitLeaveFlow(
  leave: LeaveProcess,
  step: 'pre-termination' | 'post-termination' | 'post-deactivation',
) {
  return occurrence(`lifecycle.leave-supplier.await-${step}-flow-step.initiated`, leave.account.number, {
    v1: stepOf(leave),
  });
}

/** Publishes that the journey of a supply point awaits a flow while it is on supply. */
export function awaitSupplyPointFlow(
  leave: LeaveProcess,
  supplyPoint: SupplyPoint,
  step: 'pre-termination' | 'pre-agreement-termination',
) {
  const type = `lifecycle.leave-supplier.supply-point-journey-await-${step}-flow-step.initiated` as const;
  return occurrence(type, leave.account.number, {
    v1: { ...stepOf(leave), supply_point: leavingSupply(supplyPoint) },
  });
}

/** Publishes that the journey of a supply point awaits a flow after it is off supply. */
export function awaitPostTermination(leave: LeaveProcess, supplyPoint: SupplyPoint) {
  const type = 'lifecycle.leave-supplier.supply-point-journey-await-post-termination-flow-step.initiated';
  return occurrence(type, leave.account.number, {
    v1: { ...stepOf(leave), supply_point: terminated(leave, supplyPoint) },
  });
}

function stepOf({ account, number, subtype }: LeaveProcess) {
  return { account_number: account.number, leave_supplier_process_number: number, subtype };
}
