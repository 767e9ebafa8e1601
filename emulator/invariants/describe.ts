import { themes } from './index.js';

/** `docs/invariants.md`: every invariant with what it states and how it is proved. */
export function describeInvariants(): string {
  const sections = Object.entries(themes).map(([theme, invariants]) => {
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

What holds over every stream of the emulator. \`emulate check FILE\` holds a recording, or lines of envelopes, against
all of them, and against the catalogue:

    emulate --scenario house-move --instant --to stdout | emulate check -

- An invariant proved by the *stream* needs the events only. One proved by the *world* needs facts that no event carries,
  as the amount of a ledger entry. \`emulate check\` has them for a recording, whose run it plays again; for other
  streams it skips the invariant and says so.
- In code: \`startCheck({ truth: await truthOf(plan) })\` of \`busbar/emulator\`, where \`plan\` is what the run was started with.
- What is first seen in an event that does not create it existed at the start. A stream may end at any time; with
  \`--complete\`, which says that it goes to the end of all that began in it, what is missing then is wrong, too.
- An event that comes again with the id that it had counts once: the last 100,000 to 200,000 ids are remembered.
- 20,000 events are held to put them in the order in which they occurred. What comes later than that is not judged by
  the invariants about its order.
- Types of event of which the stream has none may have been filtered out, and nothing follows from their absence.
  Single events that were lost are another matter: what follows on them can look wrong, because something is.
- Of each kind, the 100,000 entities heard of last are remembered. One that is forgotten counts as first seen again.
- A violation names the invariant, the event, and numbers or ids that the platform gave; never another value of a payload.
`;
