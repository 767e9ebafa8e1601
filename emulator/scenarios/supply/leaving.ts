import { after, type Steps } from '../../engine/scenario.js';
import {
  cancelLeave,
  completeLeave,
  type LeaveProcess,
  type requestLeave,
} from '../../world/supply/leave-supplier.js';
import { changeStatus } from '../../world/supply/process-status.js';
import { emit } from '../define.js';

/** Publishes the request of a leaving process, which then is in progress. */
export function* startLeaving({ leave, requested }: ReturnType<typeof requestLeave>): Steps<LeaveProcess> {
  yield* emit(requested);
  yield* after({ milliseconds: 100 }, { seconds: 1 });
  yield* emit(changeStatus(leave, 'IN_PROGRESS'));
  return leave;
}

export function* completeLeaving(leave: LeaveProcess): Steps {
  yield* emit(completeLeave(leave));
  yield* after({ milliseconds: 100 }, { seconds: 1 });
  yield* emit(changeStatus(leave, 'COMPLETED'));
}

export function* cancelLeaving(leave: LeaveProcess): Steps {
  yield* emit(cancelLeave(leave));
  yield* after({ seconds: 1 });
  yield* emit(changeStatus(leave, 'CANCELLED'));
}
