import { readdirSync, readFileSync } from 'node:fs';
import type { JsonSchema } from 'busbar/catalogue';
import { sample } from 'busbar-emulator/testing';
import { describe, expect, it } from 'vitest';

const root = new URL('../../../catalogue/', import.meta.url);
const schemaAt = (path: string) => JSON.parse(readFileSync(new URL(path, root), 'utf8')) as JsonSchema;

const forms: Readonly<Record<string, RegExp>> = {
  'ISO 8601 date': /^(\d{4}-\d\d-\d\d)?$/,
  'RFC 3339 date-time, UTC': /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z)?$/,
};

/** Returns the pointers of texts that do not have the form of their unit. */
function misfits(schema: JsonSchema, value: unknown, at = ''): string[] {
  if (schema.$ref !== undefined)
    return misfits(schemaAt(`shapes/${schema.$ref.split('/').at(-1)}`), value, at);
  if (Array.isArray(value)) {
    return value.flatMap((each, index) => misfits(schema.items ?? {}, each, `${at}/${index}`));
  }
  if (typeof value === 'object' && value !== null) {
    return Object.entries(value).flatMap(([name, each]) =>
      misfits(schema.properties?.[name] ?? {}, each, `${at}/${name}`),
    );
  }
  const form = forms[String(schema['x-busbar-unit'])];
  return form === undefined || typeof value !== 'string' || form.test(value) ? [] : [at];
}

describe('the units of fields', () => {
  const files = readdirSync(new URL('events', root), { recursive: true, encoding: 'utf8' });
  const events = files.filter((file) => file.endsWith('.json')).map((file) => schemaAt(`events/${file}`));

  it('match the dates and times of every sample', () => {
    const wrong = events.flatMap((schema) => {
      const [type, version] = [schema['x-event-type'], schema['x-event-version']] as [never, never];
      return misfits(schema, sample(type, version, undefined, { fields: 'full' }), String(schema.$id));
    });
    expect(wrong).toEqual([]);
  });

  it('use a fixed set of words', () => {
    const shapes = readdirSync(new URL('shapes', root)).map((file) => schemaAt(`shapes/${file}`));
    const units = new Set(
      [...JSON.stringify([...events, ...shapes]).matchAll(/"x-busbar-unit":"([^"]*)"/g)].map(
        ([, unit]) => unit ?? '',
      ),
    );
    expect([...units].sort()).toEqual([
      '%',
      'ISO 8601 date',
      'RFC 3339 date-time, UTC',
      'W',
      'Wh',
      'bytes',
      'days',
      'pence',
    ]);
  });
});
