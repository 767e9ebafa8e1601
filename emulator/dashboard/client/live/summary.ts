import type { Schema } from '../catalogue.js';
import { count } from '../instants.js';
import { flatFields } from '../event/flat-fields.js';
import { within } from '../event/schema-fields.js';
import { payloadOf, type StreamEvent } from '../stream/stream-event.js';

/** Parts of a summary, and fields of a payload that are read for it. */
const maxParts = 3;
const maxFields = 40;

const known = new WeakMap<StreamEvent, readonly [schema: Schema | undefined, summary: string]>();

/** Summarizes a payload: amounts of money, changes, flags, identifiers, words and dates, in this order. */
export function summaryOf(event: StreamEvent, schema: Schema | undefined): string {
  const [of, summary] = known.get(event) ?? [];
  if (summary !== undefined && of === schema) return summary;
  const next = summarize(event, schema);
  known.set(event, [schema, next]);
  return next;
}

function summarize(event: StreamEvent, schema: Schema | undefined): string {
  const payload = payloadOf(event);
  if (typeof payload !== 'object' || payload === null) return '';
  const fields = flatFields(payload, maxFields);
  const parts = [...fields].flatMap(([path, value]) => {
    if (value === event.key) return [];
    const names = path.split(/[.[\]]+/).filter((name) => name !== '');
    const field = names.reduce<Schema | undefined>(
      (each, name) => within(each, schema, /^\d+$/.test(name) ? Number(name) : name),
      schema,
    );
    const earlier = fields.get(path.replace(/new_(?=\w+$)/, 'previous_'));
    // A pair of metadata: the key is the name of the value.
    if (names.at(-1) === 'value') names.push(fields.get(path.replace(/value$/, 'key')) ?? 'value');
    return partOf(names, value, earlier === value ? undefined : earlier, field?.['x-busbar-unit']) ?? [];
  });
  const texts = parts.sort((one, other) => one.rank - other.rank).map(({ text }) => text);
  return [...new Set(texts)].slice(0, maxParts).join(' · ');
}

interface Part {
  readonly rank: number;
  readonly text: string;
}

function partOf(
  names: readonly string[],
  value: string,
  earlier: string | undefined,
  unit: string | undefined,
): Part | undefined {
  const [name = '', parent = ''] = [names.findLast((each) => !/^\d+$/.test(each)), names.at(-2)];
  if (name.startsWith('previous_')) return undefined;
  const shown = unit === 'pence' ? pounds : (text: string) => text;
  const change = earlier === undefined ? shown(value) : `${shown(earlier)} → ${shown(value)}`;
  if (unit === 'pence') return { rank: 0, text: labelled(name.replace(/_?(amount|new_value)$/, ''), change) };
  if (earlier !== undefined) return { rank: 1, text: change };
  if (value === 'true') return { rank: 2, text: words(name.replace(/^(is|has)_/, '')) };
  if (/^[A-Z]{1,4}-[\w-]{4,}$/.test(value)) {
    const label = name.replace(/_?(number|identifier|id)$/, '');
    return { rank: 3, text: labelled(label === '' ? parent : label, value) };
  }
  if (/(^|_)(mpan|mprn|external_identifier)$/.test(name)) return { rank: 3, text: `supply point ${value}` };
  if (/^[A-Z][A-Z_]+$/.test(value)) return { rank: 4, text: value.toLowerCase().replaceAll('_', ' ') };
  if (/^\d{4}-\d\d-\d\d/.test(value)) {
    const label = name.replace(/_(at|on|date)$/, '');
    return { rank: 5, text: labelled(label, value.slice(0, 10)) };
  }
  return undefined;
}

function pounds(pence: string): string {
  const amount = Math.abs(Number(pence));
  return `${pence.startsWith('-') ? '−' : ''}£${count(Math.floor(amount / 100))}.${String(amount % 100).padStart(2, '0')}`;
}

function labelled(label: string, value: string): string {
  return label === '' ? value : `${words(label)} ${value}`;
}

function words(name: string): string {
  return name.replaceAll('_', ' ');
}
