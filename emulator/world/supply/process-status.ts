import { occurrence } from '../occurrence.js';

export type ProcessStatus = 'PENDING' | 'IN_PROGRESS' | 'COMPLETED' | 'CANCELLED' | 'REVERSED';

export function changeStatus(
  process: { readonly number: string; status: ProcessStatus },
  accountNumber: string,
  status: ProcessStatus,
) {
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
