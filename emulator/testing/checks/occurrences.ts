import { type Experiment, marked, version } from './experiment.js';
import { isDeepStrictEqual } from 'node:util';
import { quoted } from 'busbar/base';
import { isName, listed } from '../differences.js';
import type { Problem } from '../verify/causes.js';
import { type Delivery, isEventLog, occurrenceOf } from '../verify/delivery.js';
import type { PlayedEvents } from '../verify/event-sequence.js';
import type { Subject } from '../verify/subject.js';
import { type Check, trying } from './check.js';
import { placeOf } from './judge.js';

/**
 * One change in the world comes in several versions. Both together must not count as two: sums and rows are compared
 * with those of each version alone. Versions may fill different fields.
 */
export const occurrencesCheck: Check = {
  name: 'occurrences',
  title: 'an occurrence in two versions counts once',
  comparesStates: true,
  ...trying(function* (subject) {
    const seen = new Set<string>();
    for (const { plan, deliveries } of subject.mainSequences) {
      for (const pair of pairsIn(deliveries, subject.handledOf(deliveries))) {
        if (seen.has(pair.name)) continue;
        seen.add(pair.name);
        yield { subject: pair.name, candidates: [{ plan, deliveries: pair.deliveries }] };
      }
    }
  }, wrong),
  overTheWire: {
    parts: ({ world }) => {
      const experiments = new Map<string, Experiment>();
      for (const deliveries of world.households.values()) {
        const handled = deliveries.filter(({ sent }) => world.handles(sent.name));
        for (const { name: about, ...pair } of pairsIn(deliveries, handled))
          experiments.set(about, { label: 'as one occurrence', about, ...pair, wrongIf: 'counted twice' });
      }
      return [
        { sharing: 'alone', diagnosis: 'counts-versions-twice', experiments: [...experiments.values()] },
      ];
    },
  },
};

/** Returns the deliveries once for each pair of handled versions of an occurrence, with the mark {@link version}. */
function* pairsIn(deliveries: readonly Delivery[], handled: readonly Delivery[]) {
  const first = new Map<string, Delivery>();
  for (const each of handled) {
    const occurrence = occurrenceOf(each);
    const other = first.get(occurrence);
    if (other === undefined) first.set(occurrence, each);
    else if (other.sent.name !== each.sent.name) {
      const isVersion = (delivery: Delivery) => delivery === each || delivery === other;
      yield {
        name: `${other.sent.name} and ${each.sent.name}`,
        deliveries: deliveries.map((one) => (isVersion(one) ? marked(one, version) : one)),
      };
    }
  }
}

async function wrong(subject: Subject, { plan, deliveries }: PlayedEvents): Promise<Problem | undefined> {
  const [one, other] = deliveries.filter(({ faults }) => faults.includes(version));
  if (one === undefined || other === undefined) return undefined;
  const stateWithout = async (...left: readonly Delivery[]) => {
    const rest = deliveries.filter((each) => !left.includes(each));
    return (await subject.exercise({ plan, deliveries: rest })).state;
  };
  const states = {
    neither: await stateWithout(one, other),
    one: await stateWithout(other),
    other: await stateWithout(one),
    both: await stateWithout(),
  };
  const handled = subject.handledOf(deliveries);
  const pointers = countedTwice(states, (rows) => isEventLog(rows, [one, other], handled));
  if (pointers.length === 0) return undefined;
  const about = one.sent.name.replace(/-v[^-]*$/, '');
  const names = [one, other].map(({ sent }) => quoted(sent.name)).join(' and ');
  const reason = `${names} are one occurrence, but the state counts two at ${listed(pointers)}.`;
  return { diagnosis: 'counts-versions-twice', reason, ...placeOf(pointers, about), about };
}

type States = Readonly<Record<'neither' | 'one' | 'other' | 'both', unknown>>;

/** Returns pointers to sums that grow by both versions, and to collections that get a row from each. */
function countedTwice(
  { neither, one, other, both }: States,
  isLog: (rows: readonly (readonly unknown[])[]) => boolean,
  pointer = '',
): string[] {
  if (isDeepStrictEqual(one, neither) || isDeepStrictEqual(other, neither)) return [];
  if (isDeepStrictEqual(both, one) || isDeepStrictEqual(both, other)) return [];
  if (typeof both === 'number') {
    const [zero, first, second] = [neither, one, other].map((each) =>
      typeof each === 'number' ? each : 0,
    ) as [number, number, number];
    const sum = first - zero + (second - zero);
    const isSum = Math.abs(both - zero - sum) < 1e-6 && (first - zero) * (second - zero) > 0;
    return isSum ? [pointer] : [];
  }
  const [before, first, second] = [entriesOf(neither), entriesOf(one), entriesOf(other)];
  const all = entriesOf(both);
  if (isLog([...all].map(([key, row]) => [key, ...scalarsIn(row)]))) return [];
  const added = (entries: Entries) =>
    [...entries].filter(([key]) => !before.has(key) && !isName(key)).map(([, row]) => row);
  const [firstRows, secondRows, rows] = [added(first), added(second), added(all)];
  const isTwin = firstRows.some(
    (row) => isCountable(row) && secondRows.some((each) => isDeepStrictEqual(each, row)),
  );
  if (isTwin && rows.length === firstRows.length + secondRows.length) return [pointer];
  return [...all].flatMap(([key, value]) =>
    countedTwice(
      { neither: before.get(key), one: first.get(key), other: second.get(key), both: value },
      isLog,
      `${pointer}/${key}`,
    ),
  );
}

type Entries = ReadonlyMap<string, unknown>;

/** Returns the rows of a collection by key. Rows of a list without keys are numbered. */
function entriesOf(value: unknown): Entries {
  if (value instanceof Map) return new Map([...value].map(([key, each]) => [String(key), each as unknown]));
  if (typeof value !== 'object' || value === null || value instanceof Set) return new Map();
  return new Map(Object.entries(value));
}

function scalarsIn(row: unknown): unknown[] {
  return typeof row === 'object' && row !== null ? Object.values(row).flatMap(scalarsIn) : [row];
}

/** Whether a row says more than that an event was seen. */
function isCountable(row: unknown): boolean {
  return typeof row === 'number' || (typeof row === 'object' && row !== null && Object.keys(row).length > 0);
}
