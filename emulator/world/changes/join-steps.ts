import type { Occurrence } from '../../engine/scenario.js';
import type { SupplyPoint } from '../cell.js';
import { occurrence } from '../occurrence.js';
import { activated, type JoinProcess, processOf, requested } from './join-supplier.js';

/** Publishes that the process awaits a flow at one of three steps. */
export function awaitJoinFlow(
  join: JoinProcess,
  step: 'pre-discovery' | 'pre-activation' | 'post-activation',
): Occurrence {
  return occurrence(`lifecycle.join-supplier.await-${step}-flow-step.initiated`, join.account.number, {
    v1: processOf(join),
  });
}

/** Publishes that the journey of a supply point awaits a flow before supply begins. */
export function awaitPreActivation(join: JoinProcess, supplyPoint: SupplyPoint): Occurrence {
  const type = 'lifecycle.join-supplier.supply-point-journey-await-pre-activation-flow-step.initiated';
  return occurrence(type, join.account.number, {
    v1: { ...processOf(join), supply_point: requested(join, supplyPoint) },
  });
}

/** Publishes that the journey of a supply point awaits a flow after supply has begun. */
export function awaitPostActivation(join: JoinProcess, supplyPoint: SupplyPoint): Occurrence {
  const type = 'lifecycle.join-supplier.supply-point-journey-await-post-activation-flow-step.initiated';
  return occurrence(type, join.account.number, {
    v1: { ...processOf(join), supply_point: activated(join, supplyPoint) },
  });
}

export function acceptTerms({ id, number, account }: JoinProcess): Occurrence {
  return occurrence('lifecycle.join_supplier.terms-and-conditions.accepted', account.number, {
    v2: { join_supplier_process_id: id, join_supplier_process_number: number },
  });
}

/** Publishes a step of ensuring the account's payment instructions. */
export function ensurePaymentInstructions(
  { id, number, account }: JoinProcess,
  step: 'initiated' | 'completed',
): Occurrence {
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
export function demandDeposits({ number, account }: JoinProcess): Occurrence {
  return occurrence('lifecycle.join_supplier.security_deposits.created', account.number, {
    v1: { join_supplier_process_number: number },
  });
}
