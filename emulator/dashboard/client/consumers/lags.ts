import { effect, signal } from '@preact/signals';
import type { Consumers } from '../../../control-api/generated/operations.js';
import { consumers } from './consumers-state.js';

/** Lag and rate of each consumer, per second, since the page was opened. */
export interface Lags {
  /** Wall time of the first value, in milliseconds since the epoch. */
  readonly from: number;
  readonly groups: readonly {
    readonly name: string;
    readonly values: readonly (number | undefined)[];
    /** Numbers of committed records. */
    readonly settled: readonly (number | undefined)[];
  }[];
}

const maxValues = 300;
/** Seconds over which a rate is measured. */
const rateSpan = 10;

export const lags = signal<Lags>({ from: Date.now(), groups: [] });

effect(() => {
  const { state, value } = consumers.loaded.value;
  if (value === undefined || state !== 'ready') return;
  const now = consumersIn(value);
  const before = lags.peek();
  const names = new Set([...before.groups, ...now].map(({ name }) => name));
  if (names.size === 0) return;
  const none = Array<undefined>(Math.max(0, ...before.groups.map(({ values }) => values.length)));
  const groups = [...names].map((name) => {
    const { values = [...none], settled = [...none] } =
      before.groups.find((group) => group.name === name) ?? {};
    const found = now.find((each) => each.name === name);
    return {
      name,
      values: [...values, found?.lag].slice(-maxValues),
      settled: [...settled, found?.settled].slice(-maxValues),
    };
  });
  const count = groups[0]?.values.length ?? 0;
  lags.value = { from: Date.now() - (count - 1) * 1_000, groups };
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
  const { settled = [] } = lags.value.groups.find(({ name }) => name === consumer) ?? {};
  const recent = settled.slice(-rateSpan - 1).filter((each) => each !== undefined);
  const [first, last] = [recent[0], recent.at(-1)];
  if (first === undefined || last === undefined || recent.length < 2) return undefined;
  return Math.max(0, last - first) / (recent.length - 1);
}
