import { effect, signal } from '@preact/signals';
import { consumers } from '../consumers/consumers-state.js';

/** Lag of each consumer, per second, since the charts were first open. */
export interface Lags {
  /** Wall time of the first value, in milliseconds since the epoch. */
  readonly from: number;
  readonly groups: readonly { readonly name: string; readonly values: readonly (number | undefined)[] }[];
}

const maxValues = 300;

export const lags = signal<Lags>({ from: Date.now(), groups: [] });

effect(() => {
  const { state, value } = consumers.loaded.value;
  if (value === undefined || state !== 'ready') return;
  const now = [...value.groups.map(({ id, lag }) => ({ name: id, lag })), ...value.stream];
  const before = lags.peek();
  const names = new Set([...before.groups, ...now].map(({ name }) => name));
  if (names.size === 0) return;
  const length = Math.max(0, ...before.groups.map(({ values }) => values.length));
  const groups = [...names].map((name) => {
    const values =
      before.groups.find((group) => group.name === name)?.values ?? Array<undefined>(length).fill(undefined);
    return { name, values: [...values, now.find((each) => each.name === name)?.lag].slice(-maxValues) };
  });
  const count = groups[0]?.values.length ?? 0;
  lags.value = { from: Date.now() - (count - 1) * 1_000, groups };
});
