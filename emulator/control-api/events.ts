import { isObject } from 'busbar/base';
import { parseInstant } from '../engine/read-time.js';
import { formatInstant } from '../engine/time.js';
import { inputLine } from '../run/recording/format.js';
import type { Session } from '../run/session.js';
import type { HistoryPage } from '../sinks/stream/history.js';
import type { WebSocketSink } from '../sinks/websocket.js';
import type { ControlHandlers } from './document.js';

/** Returns the handler that lists the last events of the stream. */
export function eventOperations(stream: WebSocketSink | undefined) {
  const none: HistoryPage = { records: [], through: 0, missed: 0 };
  return {
    listEvents({ parameters: { after = 0, limit = 100, type } }) {
      const page = stream?.after(after, limit, type === undefined ? {} : { types: [type] }) ?? none;
      return { entries: page.records.map(entryOf), cursor: page.through, missed: page.missed };
    },
  } satisfies Partial<ControlHandlers>;
}

function entryOf({ number, key, value, own, about }: HistoryPage['records'][number]) {
  const { at, sentAt = at, cell, instance, step, faults } = about;
  const sent = { sent_at: formatInstant(sentAt), key, cell, instance, step, faults: [...faults] };
  return { cursor: number, ...sent, event: envelopeIn(own?.line ?? value) };
}

/** Returns the envelope; null if a fault has made it unreadable. */
function envelopeIn(value: Uint8Array): Record<string, unknown> | null {
  try {
    const envelope: unknown = JSON.parse(Buffer.from(value).toString());
    return isObject(envelope) ? { ...envelope } : null;
  } catch {
    return null;
  }
}

/** Returns the handlers that send a single event, sample a payload, and list the inputs. */
export function inputOperations(session: Session) {
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
    // In the format of recordings, for `emulate --inputs FILE`.
    listInputs: () => (session.plan.inputs ?? []).map(inputLine).join(''),
  } satisfies Partial<ControlHandlers>;
}
