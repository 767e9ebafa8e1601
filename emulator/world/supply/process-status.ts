import type { Account } from '../cell.js';
import { occurrence } from '../occurrence.js';

type ProcessStatus = 'PENDING' | 'IN_PROGRESS' | 'COMPLETED' | 'CANCELLED' | 'REVERSED';

/** A joining or leaving process. */
export interface Process {
  readonly number: string;
  readonly account: Account;
  status: ProcessStatus;
}

export function changeStatus(process: Process, status: ProcessStatus) {
  const previous = process.status;
  process.status = status;
  return occurrence('lifecycle.status-changed', process.account.number, {
    v1: {
      process_number: process.number,
      account_number: process.account.number,
      new_status: status,
      previous_status: previous,
    },
  });
}
