import type { FirstEvents, ServedInvariant } from './served.js';

export const firstEventInvariants: readonly ServedInvariant[] = [
  {
    name: 'first-event-explains',
    statement:
      'Just after the first event of an account, REST returns what it returned just before, except for what the event reports.',
    *objections({ account, first }) {
      if (first.before === undefined) return;
      for (const path of unexplained(first)) {
        const what = `changes at "${path}" without an event that reports it`;
        yield { entity: `account "${account.number}"`, what };
      }
    },
  },
];

/** Returns the paths, without ids, of changes that no event reports. */
function unexplained({ events, before, after }: FirstEvents): Set<string> {
  const [old, now] = [leavesOf(before), leavesOf(after)];
  const changed = [...new Set([...old.keys(), ...now.keys()])].filter(
    (path) => old.get(path) !== now.get(path),
  );
  const texts = events.map(({ payload }) => JSON.stringify(payload));
  return new Set(
    changed
      .filter((path) => !texts.some((text) => text.includes(JSON.stringify(now.get(path)))))
      .map((path) => path.replaceAll(/\[[^\]]*\]/g, ''))
      .filter((path) => !events.some(({ type }) => reports(type, path))),
  );
}

/** Types of events, and what they change without naming the new value. */
const reported: readonly (readonly [type: RegExp, path: RegExp])[] = [
  [/^billing\.ledger\./, /ledgers/],
  [/^billing\.billing_document\./, /^\.bills/],
  [/^agreement\./, /agreements/],
  [/^account\.reactivated$/, /status/],
  // A process that is reversed has only an event of its status.
  [/^lifecycle\./, /status|occupancies|properties/],
  [/^account_user\.removed$/, /customers|users/],
  [/^industry\.electricity\.export_installation\./, /electricity_meter_points/],
  [/^account_user\.updated$/, /billing_name/],
  [/metadata\.removed$/, /metadata/],
];

function reports(type: string, path: string): boolean {
  return reported.some(([types, paths]) => types.test(type) && paths.test(path));
}

/** Returns the values of a JSON tree by path. Objects in lists go by their ids: `agreements[17].valid_to`. */
function leavesOf(value: unknown, path = '', leaves = new Map<string, unknown>()): Map<string, unknown> {
  if (typeof value !== 'object' || value === null) return leaves.set(path, value);
  for (const [name, inner] of Object.entries(value)) {
    const { id, number, key, mpan, mprn } = (inner ?? {}) as Readonly<Record<string, string | number>>;
    const step = Array.isArray(value)
      ? `[${[id, number, key, mpan, mprn, name].find((each) => each !== undefined)}]`
      : `.${name}`;
    leavesOf(inner, path + step, leaves);
  }
  return leaves;
}
