import { stat } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { readAdditions } from '../../../catalogue/additions.js';
import {
  compareCatalogues,
  type ComparedCatalogue,
  type Difference,
} from '../../../catalogue/diff/compare-catalogues.js';
import type { Side } from '../../../catalogue/diff/compare-schemas.js';
import type { FieldReads } from '../../../catalogue/diff/field-reads.js';
import { indexEvents } from '../../../catalogue/event-index.js';
import { builtInCatalogue, type Catalogue } from '../../../catalogue/catalogue.js';
import { openDefinitions } from '../../../catalogue/open.js';
import { BusbarError, quoted } from '../../base/errors.js';
import { boolean, choice, isObject, nonEmptyText } from '../../base/options.js';
import { readText } from '../../base/read-text.js';
import { catalogueFlag, type Console, defineCommand, jsonFlag } from '../command.js';
import { textTable } from '../text-table.js';

interface DiffFlags {
  readonly consumer?: string;
  readonly fields?: string;
  readonly for?: Side | 'both';
  readonly markdown?: boolean;
  readonly json?: boolean;
}

const builtIn = 'built-in';
const catalogueArgument = {
  type: nonEmptyText,
  isRequired: true,
  text: `Folder of schemas, exported file, or ${builtIn}`,
} as const;

export const command = defineCommand<DiffFlags & { old: string; new: string }>({
  args: { old: catalogueArgument, new: catalogueArgument },
  flags: {
    consumer: {
      type: nonEmptyText,
      value: '<module>',
      text: 'Name the handlers of this consumer that a change touches',
      conflicts: ['fields'],
    },
    fields: {
      type: nonEmptyText,
      value: '<file>',
      text: 'The same, from a file of emulate verify --record-fields',
    },
    catalogue: catalogueFlag,
    for: {
      type: choice('consumers', 'producers', 'both'),
      default: 'consumers',
      value: '<side>',
      text: 'Exit with 1 if this side breaks',
    },
    markdown: { type: boolean, text: 'Print a table in Markdown', conflicts: ['json'] },
    json: jsonFlag,
  },
  examples: ['catalogue diff main/events events --consumer ./consumer.ts'],
  endsProcess: true,
  run: diffCatalogues,
});

/** `busbar catalogue diff OLD NEW`: prints the differences. One that breaks a side sets the exit code to 1. */
async function diffCatalogues(
  options: DiffFlags & { readonly old: string; readonly new: string },
  console: Console,
): Promise<void> {
  const { for: side = 'consumers', json, markdown } = options;
  const [old, young] = [await open(options.old), await open(options.new)];
  const differences = await compareCatalogues(old, young, await readsFor([old, young], options, console));
  const breaking = (each: Side) => differences.filter((difference) => doesBreak(difference, each)).length;
  if (side !== 'producers' && breaking('consumers') > 0) process.exitCode = 1;
  if (side !== 'consumers' && breaking('producers') > 0) process.exitCode = 1;
  if (json) {
    console.write(`${JSON.stringify(differences, null, 2)}\n`);
    return;
  }
  if (differences.length === 0) {
    console.write('No differences.\n');
    return;
  }
  const isKnown = options.consumer !== undefined || options.fields !== undefined;
  const counts = `Breaking ${isKnown ? 'handlers' : 'consumers'}: ${breaking('consumers')}. Breaking producers: ${breaking('producers')}.`;
  const table = (markdown ? markdownTable : textTable)([heads, ...differences.map(rowOf)]);
  console.write(`${table}\nDifferences: ${differences.length}. ${counts}\n`);
}

const heads = ['Breaks', 'Event or shape', 'Field', 'Change', 'Handlers'];

/** Whether the change breaks the side. Of a known consumer, a change breaks only handlers that read the field. */
function doesBreak({ breaks, handlers }: Difference, side: Side): boolean {
  const isUnread = side === 'consumers' && handlers !== undefined && Object.keys(handlers).length === 0;
  return breaks.includes(side) && !isUnread;
}

function rowOf({ breaks, shape, events, pointer, change, handlers = {} }: Difference): string[] {
  const where = shape === undefined ? events.join() : `${shape} (events: ${events.length})`;
  const names = Object.entries(handlers).flatMap(([event, each]) =>
    each.map((name) => (name === event ? name : `${name} (${event})`)),
  );
  return [breaks.join(' and ') || 'none', where, pointer, change, names.join(', ')];
}

function markdownTable([first = [], ...rows]: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |\n`;
  const escaped = rows.map((row) => line(row.map((cell) => cell.replaceAll(/[|\\`*_<]/g, '\\$&'))));
  return [line(first), line(first.map(() => '---')), ...escaped].join('');
}

/**
 * Opens a side of the comparison. A folder extends the built-in catalogue; a file is a whole catalogue.
 * @throws BusbarError `invalid-option`, `invalid-schema`
 */
async function open(path: string): Promise<ComparedCatalogue> {
  if (path === builtIn) return builtInCatalogue();
  const { readSchemas } = await import('../../../catalogue/sources/load.js');
  const definitions = await readSchemas([path], process.cwd());
  if ((await stat(path)).isDirectory()) return openDefinitions(definitions).catalogue;
  const { events, documents } = readAdditions(definitions, { shapes: [], events: indexEvents([]) });
  return { events: [...events.values()], documents: () => Promise.resolve(documents()) };
}

/** Returns the fields that handlers read: recorded earlier, or now. @throws BusbarError */
async function readsFor(
  compared: readonly [ComparedCatalogue, ComparedCatalogue],
  { consumer, fields }: DiffFlags,
  console: Console,
): Promise<FieldReads | undefined> {
  if (fields !== undefined) {
    const reads = await readFields(fields);
    const builtIn = builtInCatalogue();
    const isKnown = (name: string) => Object.hasOwn(reads, name) || builtIn.named(name) !== undefined;
    const advice = `Record ${quoted(fields)} again, with --catalogue for the consumer's own events.`;
    requireHandled(compared, isKnown, advice);
    return reads;
  }
  if (consumer === undefined) return undefined;
  const { loadContract, recordFields } = await importTesting();
  const loaded = await loadContract(consumer);
  const envelope = await console.envelope();
  const { catalogue = await console.catalogue(), ...contract } = loaded.contract;
  const isKnown = (name: string) => catalogue.named(name) !== undefined;
  requireHandled(compared, isKnown, "Name the consumer's own events with --catalogue.");
  return recordFields(loaded.consumer, { catalogue, ...(envelope && { envelope }), ...contract });
}

/** @throws BusbarError `invalid-option` for an event of both catalogues that no handler can have run for */
function requireHandled(
  [old, young]: readonly [ComparedCatalogue, ComparedCatalogue],
  isKnown: (name: string) => boolean,
  advice: string,
): void {
  const remaining = new Set(young.events.map(({ name }) => name));
  const absent = old.events.find(({ name }) => remaining.has(name) && !isKnown(name));
  if (absent === undefined) return;
  throw new BusbarError('invalid-option', `No handler runs for event ${quoted(absent.name)}. ${advice}`);
}

async function readFields(file: string): Promise<FieldReads> {
  const advice = `Write it with emulate verify --record-fields ${file}`;
  const text = await readText(file, advice);
  try {
    const reads = JSON.parse(text) as Record<string, Record<string, unknown>>;
    const all = Object.values(reads).flatMap((handlers) => Object.values(handlers));
    if (isObject(reads) && all.every((pointers) => Array.isArray(pointers))) return reads as FieldReads;
  } catch {
    // Reported below.
  }
  throw new BusbarError('invalid-option', `File ${quoted(file)} has no recorded fields. ${advice}`);
}

/** The part of `busbar-emulator/testing` that records fields. This package does not depend on it. */
interface Testing {
  readonly loadContract: (
    file: string,
  ) => Promise<{ consumer: unknown; contract: { readonly catalogue?: Catalogue } }>;
  readonly recordFields: (consumer: unknown, contract: object) => Promise<FieldReads>;
}

async function importTesting(): Promise<Testing> {
  try {
    const path = createRequire(resolve('package.json')).resolve('busbar-emulator/testing');
    return (await import(pathToFileURL(path).href)) as Testing;
  } catch (cause) {
    const message =
      'Option "--consumer" needs busbar-emulator. Install it: npm install --save-dev busbar-emulator';
    throw new BusbarError('missing-package', message, { cause });
  }
}
