import { basename, dirname } from 'node:path';
import { type ListedEvent, readEvents } from './events.js';

/** A part of a page in the index of the search. */
export interface Section {
  readonly anchor: string;
  readonly titles: string[];
  readonly text: string;
}

/**
 * Options with which the page of an event comes first for its name: names differ in one word, so titles and whole words
 * count most, and no word counts much more by being repeated.
 */
export const searchOptions = {
  boost: { title: 8, text: 1, titles: 1 },
  weights: { fuzzy: 0.1, prefix: 0.2 },
  bm25: { k: 0.4, b: 1, d: 0.1 },
};

let events: ReadonlyMap<string, ListedEvent> | undefined;

/** Returns what the search knows of an event's page: its name, description and fields. Others are split by headings. */
export function searchedInEvent(page: string): Section[] | undefined {
  if (basename(dirname(page)) !== 'events') return undefined;
  events ??= new Map(readEvents().map((event) => [event.name, event]));
  const event = events.get(basename(page, '.md'));
  if (event === undefined) return undefined;
  const text = [event.description, ...event.fields].join(' ');
  return [{ anchor: '', titles: [event.name], text }];
}
