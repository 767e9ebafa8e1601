import { themes } from '../../../emulator/invariants/index.js';
import { servedThemes } from '../../../emulator/served/index.js';

/** Returns the text of `docs/reference/invariants.md`: every invariant with its statement and its kind of proof. */
export function describeInvariants(): string {
  const served = Object.entries(servedThemes).map(
    ([theme, invariants]) => [theme, invariants.map((each) => ({ ...each, proof: 'REST' }))] as const,
  );
  const sections = [...Object.entries(themes), ...served].map(([theme, invariants]) => {
    const rows = invariants.map(({ name, statement, proof }) => `| \`${name}\` | ${statement} | ${proof} |`);
    return [
      '',
      `## ${theme}`,
      '',
      '| invariant | what holds | proved by |',
      '|---|---|---|',
      ...rows,
      '',
    ].join('\n');
  });
  return `${introduction}${sections.join('')}`;
}

const introduction = `<!-- Written from emulator/invariants: npx vitest run test/emulator/invariants -u; do not edit. -->

# Invariants

Every stream of the emulator fulfils these invariants. \`emulate check FILE\` validates a recording, or lines of
envelopes, against all of them and against the catalogue:

\`\`\`sh
npx emulate --scenario house-move --instant --to stdout | npx emulate check -
\`\`\`

- An invariant proved by the *stream* needs only the events. One proved by the *world* needs facts that no event
  contains, for example the amount of a ledger entry. For a recording, \`emulate check\` replays the run to get them. For
  other streams it skips the invariant and reports that.
- One proved by *REST* needs what the platform's REST API and the emulator's own API return about an account. After the
  stream, \`emulate check\` plays a recorded run up to its last event and reads the first 20,000 accounts by HTTP.
- In code: \`startCheck({ truth: await groundTruthOf(plan) })\` of \`busbar-emulator\`, where \`plan\` holds the options of the run.
- An entity whose first event does not create it existed before the stream. A stream may end at any time. With
  \`--complete\`, which says that all processes in the stream have ended, missing events are violations too.
- Repeated event ids count once. The check remembers the last 100,000 to 200,000 ids.
- The check buffers 20,000 events to sort them by time of occurrence. Events that arrive later than that are not
  checked for order.
- Types of events that the stream lacks may have been filtered out: their absence violates no invariant. Lost single
  events are different: the events after them can violate invariants.
- Each invariant remembers the last 100,000 entities. An evicted entity counts as new.
- A violation names the invariant, the event, and ids of the platform, but no other payload value.
`;
