import { BusbarError } from 'busbar/base';
import { parseDuration, parseInstant } from '../engine/read-time.js';
import { formatInstant } from '../engine/time.js';
import type { Session } from '../run/session.js';
import type { ControlHandlers } from './document.js';

/** Returns the handlers that read and advance virtual time. */
export function clockOperations(session: Session) {
  const read = () => ({ now: formatInstant(session.run.now), state: session.run.state });
  return {
    getClock: read,
    async advanceClock({ body: { to, by = '' } }) {
      const target = to === undefined ? session.run.now + parseDuration('by', by) : parseInstant('to', to);
      if (target < session.run.now) {
        throw new BusbarError(
          'invalid-option',
          `Virtual time cannot go back: it is ${read().now}. Choose a later instant, or reset the run.`,
        );
      }
      await session.run.advance(target);
      return read();
    },
  } satisfies Partial<ControlHandlers>;
}
