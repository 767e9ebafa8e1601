import type { Session } from '../run/session.js';
import type { ControlHandlers } from './document.js';
import { faultsOf } from './run-status.js';

/** Returns the handlers that read and change the faults. */
export function faultOperations(session: Session) {
  const change = (faults: Parameters<Session['setFaults']>[0]) => {
    session.setFaults(faults);
    return faultsOf(session);
  };
  return {
    getFaults: () => faultsOf(session),
    setFaults: ({ body }) => change(body.faults),
    endFaults: () => change(null),
  } satisfies Partial<ControlHandlers>;
}
