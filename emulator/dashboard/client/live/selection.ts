import { go, viewRoute } from '../view-route.js';
import { held, hold } from './live-feed.js';

/** Opens an event next to the list, and pauses the list. */
export function openEvent(number: number): void {
  hold(false);
  go({ event: number }, viewRoute.value.event === undefined ? 'push' : 'replace');
}

export function closeEvent(): void {
  go({ event: undefined });
}

/** Opens the next older (1) or newer (-1) event; the newest if none is open. */
export function moveSelection(by: 1 | -1): void {
  hold(false);
  const events = held.value?.events ?? [];
  const { event } = viewRoute.value;
  const index = event === undefined ? -1 : events.findIndex(({ number }) => number === event);
  const next = index === -1 ? events.at(-1) : events[index - by];
  if (next !== undefined) openEvent(next.number);
}
