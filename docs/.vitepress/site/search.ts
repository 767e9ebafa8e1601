import { basename, dirname } from 'node:path';
import { type ListedEvent, readEvents } from './events.js';

/** A part of a page in the index of the search. */
export interface Section {
  readonly anchor: string;
  readonly titles: string[];
  readonly text: string;
}

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
