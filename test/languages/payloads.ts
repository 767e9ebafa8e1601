import { Ajv2020 } from 'ajv/dist/2020.js';
import { settings } from '../../catalogue/compile-now.js';
import { type Catalogue, loadCatalogue } from '../../catalogue/index.js';
import { createSamples } from '../../emulator/testing/samples.js';

/** A payload that Busbar and the models of other languages read. */
export interface Payload {
  /** Name of the event, for example `account.created-v1`. */
  readonly event: string;
  readonly kind: string;
  /** JSON. */
  readonly text: string;
  /** Whether Ajv accepts it. */
  readonly isValid: boolean;
}

/**
 * Returns payloads of every event: samples of all kinds, and the full sample with one mistake, for each of its values and
 * each kind of mistake.
 * @param folder Folder of events that extend the built-in catalogue.
 */
export async function listPayloads(folder: string): Promise<Payload[]> {
  const catalogue: Catalogue = await loadCatalogue([folder]);
  const { samples } = await createSamples({ catalogue });
  const payloads: Payload[] = [];
  for (const event of catalogue.events) {
    const { $id: _, ...schema } = await catalogue.schema(event);
    const validate = new Ajv2020(settings).compile(schema);
    const add = ({ kind, text }: Variant): void => {
      payloads.push({ event: event.name, kind, text, isValid: validate(JSON.parse(text)) });
    };
    for (const { kind, payload } of samples(event.type as never, event.version as never)) {
      add({ kind, text: JSON.stringify(payload) });
      if (kind === 'full') for (const variant of variants(payload)) add(variant);
    }
  }
  return payloads;
}

interface Variant {
  readonly kind: string;
  readonly text: string;
}

/** Values that replace another: JSON by kind. */
const replacements = {
  null: 'null',
  'a string': '"text"',
  'an empty string': '""',
  'a number as a string': '"7"',
  'an integer': '7',
  'an integer written as `7.0`': '7.0',
  'an integer above 32 bits': '9007199254740991',
  'a fraction': '1.234567890123',
  'a number beyond doubles: `1e400`': '1e400',
  'a boolean': 'true',
  'a list': '[]',
  'a list of null': '[null]',
  'an object': '{}',
  'half a surrogate pair': '"\\ud800"',
};

/** Returns a value with each value in it replaced by the replacements, and each of its fields missing. */
function* variants(value: unknown): Generator<Variant> {
  for (const [kind, text] of Object.entries(replacements)) yield { kind, text };
  if (typeof value !== 'object' || value === null) return;
  for (const [name, part] of Object.entries(value)) {
    if (!Array.isArray(value)) yield { kind: 'a missing field', text: write(value, name) };
    for (const { kind, text } of variants(part)) yield { kind, text: write(value, name, text) };
  }
}

/** Returns an object or list as JSON, with this JSON as one of its parts. */
function write(value: object, name: string, text?: string): string {
  const parts = Object.entries(value).flatMap(([each, part]) => {
    const written = each === name ? text : JSON.stringify(part);
    if (written === undefined) return [];
    return Array.isArray(value) ? [written] : [`${JSON.stringify(each)}:${written}`];
  });
  return Array.isArray(value) ? `[${parts.join()}]` : `{${parts.join()}}`;
}
