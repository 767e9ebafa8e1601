import { parseInstant } from '../engine/read-time.js';
import { formatInstant } from '../engine/time.js';
import type { Session } from '../run/session.js';
import type { ControlHandlers } from './document.js';

/** Returns the handlers that send a single event, like `emulate trigger`, and sample a payload. */
export function triggerOperations(session: Session) {
  return {
    async trigger({ body: { event, at, ...options } }) {
      const wanted = { ...options, ...(at !== undefined && { at: parseInstant('at', at) }) };
      const inputs = await session.trigger(event, wanted);
      const triggered = inputs.flatMap((input) => {
        if (input.kind !== 'event') return [];
        const { at, nth, cell, type, version, key } = input;
        return [{ input: nth, at: formatInstant(at), cell, event_type: type, version, key }];
      });
      return { triggered };
    },
    getSample: ({ parameters: { event, ...options } }) => session.sample(event, options),
  } satisfies Partial<ControlHandlers>;
}
