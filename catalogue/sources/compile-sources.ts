import type { Ajv2020 } from 'ajv/dist/2020.js';
import ajvStandalone from 'ajv/dist/standalone/index.js';
import { type Additions, type Definitions, sourceOf, unusable } from '../additions.js';
import type { makeEvent } from '../event-index.js';
import { ajvFor, schemaProblem } from '../compile-now.js';
import { memberPointer } from '../../src/base/json-pointer.js';
import { type Catalogue, mustCompile } from '../catalogue.js';
import { openDefinitions } from '../open.js';
import { requireKeys } from './read-sources.js';

/** The own events as arguments of `makeEvent`, the names of the shapes, and of the events with compiled validators. */
export type Names = readonly [
  events: Parameters<typeof makeEvent>[],
  shapes: readonly string[],
  compiled: readonly string[],
];

/** Returns three lines: the names, the definitions, and the code of the validators. @throws BusbarError `invalid-schema` */
export async function compileSources(own: Definitions): Promise<string> {
  const { catalogue, additions } = openDefinitions(own);
  requireKeys(own);
  const [code, compiled] = await compile(additions, catalogue);
  const events = [...additions.events.values()].map(({ type, version, group, key }): Names[0][number] => [
    type,
    version,
    group,
    key,
  ]);
  const names: Names = [events, [...additions.shapes], compiled];
  return [JSON.stringify(names), JSON.stringify(own), code].join('\n');
}

/**
 * Returns a CommonJS module with a validator for each event that is the user's or has a shape of the user, and their names.
 * @throws BusbarError `invalid-schema` with the place of an invalid schema
 */
async function compile(
  additions: Additions,
  catalogue: Catalogue,
): Promise<readonly [code: string, names: readonly string[]]> {
  const { events, shapes } = additions.documents();
  for (const [name, document] of [...Object.entries(shapes), ...Object.entries(events)]) {
    const problem = schemaProblem(document);
    if (problem === undefined) continue;
    const why = `it ${problem.message}. Correct it according to JSON Schema.`;
    throw unusable(sourceOf(name, additions.sources), why, problem.pointer);
  }
  const ajv = ajvFor([events, shapes], {
    // Functions for shapes, which events share: inlined shapes would take longer to load.
    inlineRefs: false,
    code: { source: true, lines: true },
    messages: false,
  });
  const all = await catalogue.documents();
  ajv.addSchema({ $defs: all.shapes, events: all.events }, root);
  const references: Record<string, string> = {};
  for (const { name } of catalogue.events) {
    if (!(await mustCompile(name, additions))) continue;
    const member = encodeURIComponent(memberPointer('', name).slice(1));
    references[name] = `${root}#/events/${member}`;
    try {
      ajv.getSchema(references[name]);
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      throw unusable(sourceOf(name, additions.sources), `${reason}.`);
    }
  }
  return [withoutReports(standaloneCode(ajv, references)), Object.keys(references)];
}

const root = 'catalogue';

/** A CommonJS module, whose default export has another type for each way to resolve modules. */
const standaloneCode = ajvStandalone as unknown as (
  ajv: Ajv2020,
  references: Readonly<Record<string, string>>,
) => string;

/**
 * Removes the reports of errors, which `explain` creates instead: a process starts sooner with a third of the code. Each
 * statement is a line, because a string in a schema may look like code.
 */
function withoutReports(code: string): string {
  const short = code
    .replace(/^(validate\d+\.errors = )\[\{.*\}\];$/gm, '$1[{}];')
    .replace(/^(const err\d+ = )\{.*\};$/gm, '$1{};')
    .replace(/ && \(missing\d+ = "(?:[^"\\]|\\.)*"\)/g, '');
  return short.replace(/^const (schema\d+) = \{.*\};$/gm, (declaration, name: string) =>
    short.split(name).length > 2 && new RegExp(`(?<!const )\\b${name}\\b`).test(short) ? declaration : '',
  );
}
