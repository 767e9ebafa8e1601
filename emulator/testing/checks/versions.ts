import { grouped, quoted } from 'busbar/base';
import type { Problem } from '../verify/causes.js';
import { type Check, found } from './check.js';

/** Warns of unhandled higher versions: a platform stops sending old versions one day. */
export const versionsCheck: Check = {
  name: 'versions',
  title: 'the highest version of each event is handled',
  *run({ handled, catalogue }) {
    for (const [type, events] of grouped(handled, (event) => event.type)) {
      const all = catalogue.versionsOf(type);
      const highest = all.findLastIndex((version) => events.some((event) => event.version === version));
      const missed = all.slice(highest + 1);
      const name = `${type}-${all[highest] ?? ''}`;
      if (missed.length === 0) yield found(name, undefined);
      else {
        const reason = `No handler for ${missed.map(quoted).join(', ')}: the consumer misses events that are sent in that version only.`;
        const problem: Problem = { diagnosis: 'misses-version', about: name, reason };
        yield { ...found(name, problem), isWarning: true };
      }
    }
  },
};
