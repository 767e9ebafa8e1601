import { signal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import type { ConsumerOutcome } from '../../outcomes.js';
import { consumers } from '../consumers/consumers-state.js';
import { getJson } from '../requests.js';
import type { StreamEvent } from '../stream/stream-event.js';

/** The outcomes of the visible events, by event id. */
export const rowOutcomes = signal<Readonly<Record<string, readonly ConsumerOutcome[]>>>({});

const visibleIds = new Set<string>();

/** Requests the outcomes of the visible events each second, while there are consumers. */
export function useRowOutcomes(events: readonly StreamEvent[]): void {
  visibleIds.clear();
  for (const { headers } of events)
    if (headers['event-id'] !== undefined) visibleIds.add(headers['event-id']);
  useEffect(() => {
    let timer: number | undefined;
    const load = async () => {
      const { groups = [], stream = [] } = consumers.loaded.peek().value ?? {};
      if (groups.length + stream.length > 0 && visibleIds.size > 0) {
        const query = new URLSearchParams([...visibleIds].slice(0, 100).map((id) => ['event', id]));
        const found = await getJson<Record<string, ConsumerOutcome[]>>(
          `/dashboard/outcomes?${query.toString()}`,
        );
        if (found !== undefined) rowOutcomes.value = found;
      }
      if (timer !== undefined) timer = window.setTimeout(() => void load(), 1_000);
    };
    timer = window.setTimeout(() => void load(), 0);
    return () => {
      clearTimeout(timer);
      timer = undefined;
    };
  }, []);
}
