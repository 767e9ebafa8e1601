import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** An event version in the list of events. `npm run docs` writes them to `generated/events.json`. */
export interface ListedEvent {
  readonly name: string;
  readonly description: string;
  readonly domain: string;
  readonly key: string;
  /** Paths of its fields. */
  readonly fields: readonly string[];
  /** Names of the scenarios that send it. */
  readonly scenarios: readonly string[];
}

const generated = join(import.meta.dirname, '../generated');

export function readEvents(): readonly ListedEvent[] {
  return JSON.parse(readFileSync(join(generated, 'events.json'), 'utf8')) as ListedEvent[];
}
