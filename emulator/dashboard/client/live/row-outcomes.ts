import { useEffect } from 'preact/hooks';
import type { ConsumerOutcome } from '../../outcomes.js';
import { consumers } from '../consumers/consumers-state.js';
import { query } from '../query.js';
import { fetchJson } from '../requests.js';
import type { StreamEvent } from '../stream/stream-event.js';

let shown: readonly StreamEvent[] = [];

const outcomes = query<Readonly<Record<string, readonly ConsumerOutcome[]>>>(() => {
  const { groups = [], stream = [] } = consumers.loaded.peek().value ?? {};
  const ids = shown.flatMap(({ headers }) => headers['event-id'] ?? []);
  if (groups.length + stream.length === 0 || ids.length === 0) return undefined;
  const search = new URLSearchParams(ids.slice(0, 100).map((id) => ['event', id]));
  return fetchJson(`/dashboard/outcomes?${search.toString()}`);
});

/** Requests the outcomes of the visible events each second, while there are consumers. */
export function useRowOutcomes(events: readonly StreamEvent[]): void {
  shown = events;
  useEffect(outcomes.watch, []);
}

/** Returns what each consumer did with an event, by the last response. */
export function rowOutcomes({ headers }: StreamEvent): readonly ConsumerOutcome[] {
  return outcomes.loaded.value.value?.[headers['event-id'] ?? ''] ?? [];
}
