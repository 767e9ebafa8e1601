import { type JsonSchema, openCatalogue } from 'busbar/catalogue';
import { describe, expect, it } from 'vitest';
import { exportDeclarations } from '../../catalogue/export/declarations.js';

describe('exportDeclarations()', () => {
  it.each<[schema: object, type: string]>([
    [{ enum: ['a', "it's", 'two\nlines', 1] }, `'a' | "it's" | "two\\nlines" | 1`],
    [
      { type: 'array', prefixItems: [{ type: 'string' }, { type: 'integer' }], items: false },
      '[string?, number?]',
    ],
    [
      { type: 'array', items: [{ type: 'string' }, { type: 'integer' }], maxItems: 2, minItems: 1 },
      '[string, number?]',
    ],
    [{ type: 'array', prefixItems: [{ type: 'string' }] }, '[string?, ...unknown[]]'],
    [
      { type: 'array', prefixItems: [{ const: 'tag' }], items: { enum: [1, 2] }, minItems: 3 },
      "['tag', ...(1 | 2)[]]",
    ],
    [{ type: 'array', items: { type: ['string', 'null'] } }, '(string | null)[]'],
    [{ type: 'array', items: false }, 'never[]'],
    [{ type: 'string', nullable: true }, 'string | null'],
    [{ type: 'object', additionalProperties: { $ref: '#' } }, '{ [name: string]: TariffChangedV1Self }'],
    [
      { allOf: [{ properties: { a: { type: 'string' } } }], required: ['a'] },
      '{\n    a: unknown;\n  } & {\n    a?: string;\n  }',
    ],
  ])('declares %j', async (code, type) => {
    const marks = { 'x-event-type': 'tariff.changed', 'x-event-version': 'v1' };
    const catalogue = openCatalogue({
      events: [{ ...marks, type: 'object', properties: { code: code as JsonSchema } }],
    });
    expect(await exportDeclarations(catalogue)).toContain(`  code?: ${type};\n`);
  });

  it('names types that share a title by their events', async () => {
    const version = (number: number) => ({
      title: 'TariffChanged',
      'x-event-type': 'tariff.changed',
      'x-event-version': `v${number}`,
      type: 'object',
    });
    const catalogue = openCatalogue({ events: [version(1), version(2)] });
    expect(await exportDeclarations(catalogue)).toContain(
      "'tariff.changed': { v1: TariffChangedV1; v2: TariffChangedV2 }",
    );
  });
});
