import { quoted } from 'busbar/base';
import type { Check } from './check.js';

/** Warns of unhandled higher versions: a platform stops sending old versions one day. */
export const versionsCheck: Check = {
  name: 'versions',
  title: 'the highest version of each event is handled',
  *run({ handled, catalogue }) {
    const byType = new Map<string, Set<string>>();
    for (const { type, version } of handled) {
      byType.set(type, (byType.get(type) ?? new Set()).add(version));
    }
    for (const [type, versions] of byType) {
      const all = catalogue.versionsOf(type);
      const highest = all.findLastIndex((version) => versions.has(version));
      const missed = all.slice(highest + 1);
      const name = `${type}-${all[highest] ?? ''}`;
      if (missed.length === 0) yield { subject: name, status: 'passed' };
      else {
        const reason = `No handler for ${missed.map(quoted).join(', ')}: the consumer misses events that are sent in that version only.`;
        yield { subject: name, status: 'warned', reason };
      }
    }
  },
};
