import { effect, signal } from '@preact/signals';
import type { Consumers } from '../../../control-api/generated/operations.js';
import { consumers } from './consumers-state.js';

/** Lag of each consumer since the page was opened, about once a second: less often in a background tab. */
export interface Lags {
  /** Wall times of the values, in milliseconds since the epoch. */
  readonly times: readonly number[];
  readonly groups: readonly {
    readonly name: string;
    readonly values: readonly (number | undefined)[];
    /** Numbers of committed records. */
    readonly settled: readonly (number | undefined)[];
  }[];
}

const maxValues = 300;
/** Number of values over which a rate is measured. */
const rateSpan = 11;

export const lags = signal<Lags>({ times: [], groups: [] });

/** Values in place of those that the emulator did not send: the line of a lag has a gap there. */
let missed: readonly undefined[] = [];

effect(() => {
  const { state, value } = consumers.loaded.value;
  if (value === undefined) return;
  if (state !== 'ready') {
    missed = [undefined];
    return;
  }
  const now = consumersIn(value);
  const before = lags.peek();
  const names = new Set([...before.groups, ...now].map(({ name }) => name));
  if (names.size === 0) return;
  const none = Array<undefined>(before.times.length);
  const groups = [...names].flatMap((name) => {
    const { values = [...none], settled = [...none] } =
      before.groups.find((group) => group.name === name) ?? {};
    const found = now.find((each) => each.name === name);
    const group = {
      name,
      values: [...values, ...missed, found?.lag].slice(-maxValues),
      settled: [...settled, ...missed, found?.settled].slice(-maxValues),
    };
    // A consumer that the emulator has forgotten leaves with its last value.
    return group.values.some((value) => value !== undefined) ? [group] : [];
  });
  const times = [...missed, undefined].map(() => Date.now());
  lags.value = { times: [...before.times, ...times].slice(-maxValues), groups };
  missed = [];
});

/** Returns the consumers of the broker and the stream, each with the number of records that it has settled. */
function consumersIn({ groups, stream }: Consumers) {
  return [
    ...groups.map(({ id, lag, partitions }) => {
      return { name: id, lag, settled: partitions.reduce((sum, each) => sum + (each.committed ?? 0), 0) };
    }),
    ...stream.map(({ name, lag, acknowledged }) => ({ name, lag, settled: acknowledged })),
  ];
}

/** Returns the records per second that a consumer has settled lately; undefined before the second look. */
export function rateOf(consumer: string): number | undefined {
  const { times, groups } = lags.value;
  const { settled = [] } = groups.find(({ name }) => name === consumer) ?? {};
  const known = settled.flatMap((value, index) =>
    value === undefined ? [] : { value, at: times[index] ?? 0 },
  );
  const [first, last] = [known.at(-rateSpan) ?? known[0], known.at(-1)];
  if (first === undefined || last === undefined || first === last) return undefined;
  return (1_000 * Math.max(0, last.value - first.value)) / (last.at - first.at);
}
