import type { Occurrence } from '../../engine/scenario.js';
import type { SupplyPoint } from '../cell.js';
import { occurrence } from '../occurrence.js';
import { type LeaveProcess, leavingSupply, terminated } from './leave-supplier.js';

/** Publishes that the process awaits a flow at one of three steps. */
export function awaitLeaveFlow(
  leave: LeaveProcess,
  step: 'pre-termination' | 'post-termination' | 'post-deactivation',
): Occurrence {
  return occurrence(`lifecycle.leave-supplier.await-${step}-flow-step.initiated`, leave.account.number, {
    v1: processOf(leave),
  });
}

/** Publishes that the journey of a supply point awaits a flow while it is on supply. */
export function awaitSupplyPointFlow(
  leave: LeaveProcess,
  supplyPoint: SupplyPoint,
  step: 'pre-termination' | 'pre-agreement-termination',
): Occurrence {
  const type = `lifecycle.leave-supplier.supply-point-journey-await-${step}-flow-step.initiated` as const;
  return occurrence(type, leave.account.number, {
    v1: { ...processOf(leave), supply_point: leavingSupply(supplyPoint) },
  });
}

/** Publishes that the journey of a supply point awaits a flow after it is off supply. */
export function awaitPostTermination(leave: LeaveProcess, supplyPoint: SupplyPoint): Occurrence {
  const type = 'lifecycle.leave-supplier.supply-point-journey-await-post-termination-flow-step.initiated';
  return occurrence(type, leave.account.number, {
    v1: { ...processOf(leave), supply_point: terminated(leave, supplyPoint) },
  });
}

function processOf({ account, number, subtype }: LeaveProcess) {
  return { account_number: account.number, leave_supplier_process_number: number, subtype };
}
