import { createHash } from 'node:crypto';
import type { Documents } from '../schema.js';
import { banner, type Outputs } from './outputs.js';

/**
 * Generates `events.ts`, a short list that every start reads, and `schemas.js`, all documents, which is loaded when a
 * schema is requested.
 */
export function generateMetadata(documents: Documents): Outputs {
  const runs: { readonly group: string; readonly key: string; readonly names: string[] }[] = [];
  let parts: string[] = [];
  for (const event of Object.values(documents.events)) {
    const before = parts;
    parts = String(event['x-event-type']).split('.');
    const type = parts.map((part, at) => (part === before[at] ? '' : part)).join('.');
    const [group, key] = [String(event['x-group']), String(event['x-busbar-key'])];
    const last = runs.at(-1);
    if (last?.group !== group || last.key !== key) runs.push({ group, key, names: [] });
    const version = String(event['x-event-version']);
    runs.at(-1)?.names.push(type + (version === 'v1' ? '' : ` ${version}`));
  }
  const events = runs.map(({ group, key, names }) => {
    const own = key === 'account' ? '' : `, ${quoted(key)}`;
    return `  [${quoted(group)}, \`${names.join('\n')}\`${own}],\n`;
  });
  return new Map([
    [
      'catalogue/generated/events.ts',
      `${banner}
type Run = readonly [group: string, events: string, key?: string];

/**
 * Every event version in catalogue order, in runs with one group and key: \`account\` if there is none. A line is a type,
 * and its version unless it is v1. An empty part of a type is that of the line before. Short, because each consumer has
 * this list.
 */
export const events: readonly Run[] = [
${events.join('')}];

/** The names of the shared shapes. */
export const shapes: readonly string[] = \`${Object.keys(documents.shapes).join('\n')}\`.split('\\n');

/** Changes with every schema. */
export const digest = '${createHash('sha256').update(JSON.stringify(documents)).digest('hex').slice(0, 16)}';
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

/** Writes one line per document, for readable diffs. */
function list(documents: Documents['events']): string {
  const lines = Object.entries(documents).map(
    ([name, each]) => `  ${quoted(name)}: ${JSON.stringify(each)},\n`,
  );
  return `{\n${lines.join('')}}`;
}

function quoted(text: string): string {
  return text.includes("'") ? JSON.stringify(text) : `'${text}'`;
}
