import type { Router } from 'express';
import { BusbarError } from '../../src/base/errors.js';
import { formatInstant } from '../engine/time.js';
import type { LogEntry } from '../run/event-log.js';
import { inputLine } from '../run/recording/format.js';
import type { Session } from '../run/session.js';
import { readQuery } from './read.js';
import { resource } from './resource.js';

/** `/events`: the last things that have happened, by cursor; `/inputs`: the log of what came in. */
export function eventsResource(router: Router, session: Session): void {
  resource(router, '/events', {
    get(request) {
      const {
        after = 0,
        limit = 100,
        kind,
        type,
      } = readQuery(request, {
        after: 'number',
        limit: 'number',
        kind: 'text',
        type: 'text',
      });
      if (limit < 1 || limit > 1000) throw new BusbarError('invalid-option', '"limit" is from 1 to 1000.');
      const isWanted = (entry: LogEntry) =>
        (kind === undefined || entry.kind === kind) &&
        (type === undefined || (entry.kind === 'event' && entry.emission.envelope.event_type === type));
      const { entries, cursor, missed } = session.events.after(after, limit, isWanted);
      return { body: { entries: entries.map(described), cursor, missed } };
    },
  });
  resource(router, '/inputs', {
    // As a recording has them: what `emulate --inputs FILE` reads.
    get: () => ({ type: 'application/x-ndjson', body: (session.plan.inputs ?? []).map(inputLine).join('') }),
  });
}

function described(entry: LogEntry & { readonly cursor: number }) {
  const { cursor, kind } = entry;
  switch (entry.kind) {
    case 'note':
      return { cursor, kind, about: entry.about, text: entry.text };
    case 'input': {
      const { at, ...input } = entry.input;
      return { cursor, kind, input: { at: formatInstant(at), ...input } };
    }
    case 'event': {
      const { envelope, at, sentAt = at, key, cell, instance, step, faults } = entry.emission;
      const sent_at = formatInstant(sentAt);
      return { cursor, kind, sent_at, key, cell, instance, step, faults, event: envelope };
    }
  }
}
