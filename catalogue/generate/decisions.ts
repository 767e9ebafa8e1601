import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { mapObjects } from './map-objects.js';
import type { Outputs } from './outputs.js';

/** Generates the page of the decisions about open points of the specification. */
export function generateDecisions(root: string): Outputs {
  const rows = markedDecisions(root)
    .sort((a, b) => (a.clause + a.source < b.clause + b.source ? -1 : 1))
    .map(
      ({ clause, decision, source }) =>
        `| ${clause} | ${decision.replaceAll('<', '&lt;')} | \`${source}\` |\n`,
    );
  const page = `<!-- Written by \`npm run generate\`; do not edit. -->

# Not specified

Where the specification says that something is not shown, we decide, and mark the place with \`x-busbar-decision\`.
This page lists every mark.

| left open | decided | marked in |
|---|---|---|
${rows.join('')}`;
  return new Map([['docs/reference/not-specified.md', page]]);
}

/**
 * Returns the decisions marked in the JSON files of the repository: all documents of the catalogue, and the files named
 * `decisions.json` in `src/` and `emulator/`.
 */
export function markedDecisions(root: string): Decision[] {
  const paths = ['catalogue', 'src', 'emulator'].flatMap((folder) => {
    const files = existsSync(join(root, folder))
      ? readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
      : [];
    const pattern = folder === 'catalogue' ? /^(?!generated).*\.json$/ : /(^|[\\/])decisions\.json$/;
    return files
      .filter((file) => pattern.test(file))
      .map((file) => `${folder}/${file.replaceAll('\\', '/')}`);
  });
  return paths.flatMap((path) => decisionsOf(path, JSON.parse(readFileSync(join(root, path), 'utf8'))));
}

/** A decision about something that the specification leaves open, marked by `x-busbar-decision`. */
export interface Decision {
  /** Clause of the specification that leaves it open. */
  readonly clause: string;
  readonly decision: string;
  /** Path of the document with the mark. */
  readonly source: string;
}

/**
 * Returns every marked decision in a document: a schema, an OpenAPI document, the metadata of a scenario.
 * @throws Error if a mark lacks its clause or its decision
 */
export function decisionsOf(source: string, document: unknown): Decision[] {
  const found: Decision[] = [];
  mapObjects(document, (object) => {
    const mark = object['x-busbar-decision'];
    for (const each of mark === undefined ? [] : [mark].flat()) found.push(readMark(source, each));
    return object;
  });
  return found;
}

function readMark(source: string, mark: unknown): Decision {
  const { clause, decision } = (mark ?? {}) as Record<string, unknown>;
  if (typeof clause !== 'string' || typeof decision !== 'string') {
    throw new Error(
      `${source}: an "x-busbar-decision" needs a "clause" and a "decision", both text. Add them.`,
    );
  }
  return { clause, decision, source };
}
