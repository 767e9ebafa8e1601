import { formatInstant } from '../engine/time.js';
import type { Session } from '../run/session.js';
import type { ControlHandlers } from './document.js';

/** Returns the handlers that read and change the faults. */
export function faultOperations(session: Session) {
  const read = () => {
    const { inputs = [], faults = null } = session.plan;
    const last = inputs.findLast((input) => input.kind === 'faults');
    return last === undefined
      ? { faults, since: null }
      : { faults: last.faults, since: formatInstant(last.at) };
  };
  const change = (faults: Parameters<Session['setFaults']>[0]) => {
    session.setFaults(faults);
    return read();
  };
  return {
    getFaults: read,
    setFaults: ({ body }) => change(body.faults),
    endFaults: () => change(null),
  } satisfies Partial<ControlHandlers>;
}
