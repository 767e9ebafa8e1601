import { parseInstant } from '../engine/read-time.js';
import { formatInstant } from '../engine/time.js';
import type { LogEntry } from '../run/event-log.js';
import { inputLine } from '../run/recording/format.js';
import type { Session } from '../run/session.js';
import type { ControlHandlers } from './document.js';

/** Returns the handlers that list the event log and the inputs, send a single event, and sample a payload. */
export function eventOperations(session: Session) {
  return {
    listEvents({ parameters: { after = 0, limit = 100, kind, type } }) {
      const isWanted = (entry: LogEntry) =>
        (kind === undefined || entry.kind === kind) &&
        (type === undefined || (entry.kind === 'event' && entry.emission.envelope.event_type === type));
      const { entries, cursor, missed } = session.events.after(after, limit, isWanted);
      return { entries: entries.map(describe), cursor, missed };
    },
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

function describe(entry: LogEntry & { readonly cursor: number }) {
  const { cursor } = entry;
  switch (entry.kind) {
    case 'note':
      return { cursor, kind: entry.kind, about: entry.about, text: entry.text };
    case 'input': {
      const { at, ...input } = entry.input;
      return { cursor, kind: entry.kind, input: { at: formatInstant(at), ...input } };
    }
    case 'event': {
      const { envelope, at, sentAt = at, key, cell, instance, step, faults } = entry.emission;
      const about = { sent_at: formatInstant(sentAt), key, cell, instance, step, faults: [...faults] };
      return { cursor, kind: entry.kind, ...about, event: { ...envelope } };
    }
  }
}
