import type { Documents } from '../schema.js';
import { banner, type Outputs } from './outputs.js';

/**
 * `events.ts`, the list that every start reads, hence short; and `schemas.js`, all documents, which is read when a
 * schema is asked for.
 */
export function generateMetadata(documents: Documents): Outputs {
  const events = Object.values(documents.events).map(
    (event) =>
      `  [${[
        event['x-event-type'],
        event['x-event-version'],
        event['x-group'],
        event['x-busbar-key'],
        event.description,
      ]
        .map((value) => quoted(String(value)))
        .join(', ')}],\n`,
  );
  const shapes = Object.keys(documents.shapes).map((name) => `  ${quoted(name)},\n`);
  return new Map([
    [
      'catalogue/generated/events.ts',
      `${banner}
type EventEntry = readonly [type: string, version: string, group: string, key: string, description: string];

/** Type, version, group, key and description of every event version, in catalogue order. */
export const events: readonly EventEntry[] = [
${events.join('')}];

/** The names of the shared shapes. */
export const shapes: readonly string[] = [
${shapes.join('')}];
`,
    ],
    [
      'catalogue/generated/schemas.js',
      `${banner}export const shapes = ${list(documents.shapes)};\nexport const events = ${list(documents.events)};\n`,
    ],
    [
      'catalogue/generated/schemas.d.ts',
      `${banner}import type { Documents } from '../schema.js';\n
export declare const shapes: Documents['shapes'];
export declare const events: Documents['events'];\n`,
    ],
  ]);
}

/** One line per document: a change of one is a change of one line. */
function list(documents: Documents['events']): string {
  const lines = Object.entries(documents).map(
    ([name, each]) => `  ${quoted(name)}: ${JSON.stringify(each)},\n`,
  );
  return `{\n${lines.join('')}}`;
}

function quoted(text: string): string {
  return text.includes("'") ? JSON.stringify(text) : `'${text}'`;
}
