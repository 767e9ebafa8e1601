import type { Occurrence } from '../../engine/scenario.js';
import type { SupplyPoint } from '../cell.js';
import { occurrence } from '../occurrence.js';
import { type LeaveProcess, leavingSupply, terminated } from './leave-supplier.js';

/** The process waits for a flow to look at it, at one of three places on its way. */
export function awaitLeaveFlow(
  leave: LeaveProcess,
  place: 'pre-termination' | 'post-termination' | 'post-deactivation',
): Occurrence {
  return occurrence(`lifecycle.leave-supplier.await-${place}-flow-step.initiated`, leave.account.number, {
    v1: processOf(leave),
  });
}

/** The journey of one supply point waits for a flow while it is still on supply. */
export function awaitSupplyPointFlow(
  leave: LeaveProcess,
  supplyPoint: SupplyPoint,
  place: 'pre-termination' | 'pre-agreement-termination',
): Occurrence {
  const type = `lifecycle.leave-supplier.supply-point-journey-await-${place}-flow-step.initiated` as const;
  return occurrence(type, leave.account.number, {
    v1: { ...processOf(leave), supply_point: leavingSupply(supplyPoint) },
  });
}

/** The journey of one supply point waits for a flow after it went off supply. */
export function awaitPostTermination(leave: LeaveProcess, supplyPoint: SupplyPoint): Occurrence {
  const type = 'lifecycle.leave-supplier.supply-point-journey-await-post-termination-flow-step.initiated';
  return occurrence(type, leave.account.number, {
    v1: { ...processOf(leave), supply_point: terminated(leave, supplyPoint) },
  });
}

function processOf({ account, number, subtype }: LeaveProcess) {
  return { account_number: account.number, leave_supplier_process_number: number, subtype };
}
