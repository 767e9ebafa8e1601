import { effect, signal } from '@preact/signals';
import type { Consumers } from '../../../control-api/generated/operations.js';
import { query } from '../query.js';
import { fetchJson } from '../requests.js';

export const consumers = query<Consumers>(() => fetchJson('/emulator/v1/consumers'));

/** The consumers at one wall time, by name; none if the emulator did not respond: lines have a gap there. */
interface Sample {
  readonly at: number;
  readonly consumers: ReadonlyMap<string, { readonly lag: number; readonly settled: number }>;
}

const maxSamples = 300;
/** Number of samples over which a rate is measured. */
const rateSpan = 11;

/** Samples since the page was opened, about one a second: fewer in a background tab. */
export const samples = signal<readonly Sample[]>([]);

effect(() => {
  const { state, value } = consumers.loaded.value;
  const before = samples.peek();
  if (value === undefined || (state !== 'ready' && before.at(-1)?.consumers.size === 0)) return;
  const sample = { at: Date.now(), consumers: state === 'ready' ? consumersIn(value) : new Map() };
  // Nothing is drawn before the first consumer.
  if (before.length + sample.consumers.size === 0) return;
  // The clock of this machine may have been set back.
  samples.value = [...before.filter(({ at }) => at < sample.at), sample].slice(-maxSamples);
});

/** Returns the consumers of the broker and the stream, with the number of records that each has settled. */
function consumersIn({ groups, stream }: Consumers): Sample['consumers'] {
  return new Map([
    ...groups.map(({ id, lag, partitions }) => {
      const settled = partitions.reduce((sum, { committed }) => sum + (committed ?? 0), 0);
      return [id, { lag, settled }] as const;
    }),
    ...stream.map(({ name, lag, acknowledged }) => [name, { lag, settled: acknowledged }] as const),
  ]);
}

/** Returns the records per second that a consumer has settled lately; undefined before the second look. */
export function rateOf(consumer: string): number | undefined {
  const known = samples.value.flatMap(({ at, consumers: all }) => {
    const found = all.get(consumer);
    return found === undefined ? [] : { at, settled: found.settled };
  });
  const [first, last] = [known.at(-rateSpan) ?? known[0], known.at(-1)];
  if (first === undefined || last === undefined || first === last) return undefined;
  return (1_000 * Math.max(0, last.settled - first.settled)) / (last.at - first.at);
}
