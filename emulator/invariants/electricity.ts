import { comparing } from './comparing.js';
import type { Invariant } from './invariant.js';
import { identifier } from './payload.js';

/** The type of event that reports that a supply point was switched off or on. */
export const switched = 'industry.electricity.change_of_energisation.unsolicited_message';

export const electricityInvariants: readonly Invariant[] = [
  // Remembers the status of a supply point, which findings do not name.
  comparing<string>({
    name: 'energisation-alternates',
    statement: 'A supply point is switched off only while it is on, and on only while it is off.',
    entity: 'an electricity supply point',
    of: (event) => (event.type === switched ? identifier(event, 'mpan') : undefined),
    see(event, before) {
      const keep = identifier(event, 'energisation_status');
      const what = keep === before && 'is switched to the status that it has';
      return { keep, what, entity: 'an electricity supply point' };
    },
  }),
];
