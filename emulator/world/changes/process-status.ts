import type { Occurrence } from '../../engine/scenario.js';
import { occurrence } from '../occurrence.js';
import type { ProcessStatus } from '../vocabulary/supply.js';

export type { ProcessStatus };

/** Moves a joining or leaving process on. */
export function changeStatus(
  process: { readonly number: string; status: ProcessStatus },
  accountNumber: string,
  status: ProcessStatus,
): Occurrence {
  const previous = process.status;
  process.status = status;
  return occurrence('lifecycle.status-changed', accountNumber, {
    v1: {
      process_number: process.number,
      account_number: accountNumber,
      new_status: status,
      previous_status: previous,
    },
  });
}
