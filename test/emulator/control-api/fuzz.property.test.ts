import fc from 'fast-check';
import { expect, it } from 'vitest';
import { startEmulator } from '../../../emulator/index.js';
import { silentLogger } from '../../../src/base/logger.js';
import { anyCharacter } from '../../any-character.js';
import { cases } from '../../cases.js';

interface Schema {
  readonly type?: string | readonly string[];
  readonly enum?: readonly unknown[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
  readonly $ref?: string;
}
interface Parameter {
  readonly name: string;
  readonly in: 'path' | 'query';
}
interface Operation {
  readonly parameters?: readonly (Parameter | { readonly $ref: string })[];
  readonly requestBody?: { readonly content: { readonly 'application/json': { readonly schema: Schema } } };
}
interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: {
    readonly schemas: Readonly<Record<string, Schema>>;
    readonly parameters: Readonly<Record<string, Parameter>>;
  };
}

/** Names that exist, near misses, and hostile texts. */
const text = fc.oneof(
  fc.constantFrom(
    'house-move',
    'account.created-v1',
    'platform.events',
    'duplicate=1%',
    'instant',
    '7d',
    'Produce',
  ),
  fc.constantFrom('__proto__', '../../etc/passwd', '\r\nX: 1', '%00', '9'.repeat(400), 'constructor', ''),
  fc.string({ unit: anyCharacter, maxLength: 30 }),
);

it('any request to the control API gets a response of its shape, and never a 5xx', async () => {
  const emulator = await startEmulator({ kafka: { port: 0 }, http: { port: 0 }, logger: silentLogger });
  const api = `${emulator.url}/emulator/v1`;
  const document = (await (await fetch(`${api}/openapi.json`)).json()) as Document;
  const statuses = new Set<number>();
  try {
    for (const [path, item] of Object.entries(document.paths)) {
      for (const [method, operation] of Object.entries(item)) {
        const { requestBody } = operation;
        const parameters = (operation.parameters ?? []).map((each) =>
          '$ref' in each ? document.components.parameters[each.$ref.split('/').at(-1)!]! : each,
        );
        const named = (place: 'path' | 'query') =>
          Object.fromEntries(parameters.filter((each) => each.in === place).map(({ name }) => [name, text]));
        const schema = requestBody?.content['application/json'].schema;
        const request = fc.record({
          path: fc.record(named('path')),
          query: fc.record(named('query'), { requiredKeys: [] }),
          body: schema === undefined ? fc.constant(undefined) : bodyOf(schema, document),
        });
        await fc.assert(
          fc.asyncProperty(request, async (sent) => {
            const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
              encodeURIComponent(sent.path[name] || 'x').replaceAll('.', '%2E'),
            );
            // A wait of hours is allowed, and would only take long.
            const query = new URLSearchParams({
              ...sent.query,
              ...('wait' in sent.query && { wait: '1ms' }),
            });
            const response = await fetch(`${api}${filled}?${query.toString()}`, {
              method: method.toUpperCase(),
              ...(sent.body !== undefined && {
                headers: { 'content-type': 'application/json' },
                body: sent.body,
              }),
            });
            statuses.add(response.status);
            expect(response.status).toBeLessThan(500);
            const body = await response.text();
            if (response.status >= 400)
              expect(JSON.parse(body)).toMatchObject({
                error: expect.stringMatching(/^[a-z-]+$/),
                message: expect.any(String),
              });
          }),
          { numRuns: cases(3, 100) },
        );
      }
    }
    expect((await fetch(`${api}/health`)).status).toBe(200);
    expect([...statuses]).toEqual(expect.arrayContaining([200, 400, 404]));
  } finally {
    await emulator.stop();
  }
});

/** Bodies of a schema and bodies near it, as text. */
function bodyOf(schema: Schema, document: Document): fc.Arbitrary<string> {
  return fc.oneof(
    valueOf(schema, document).map((value) => JSON.stringify(value)),
    fc.json({ maxDepth: 3 }),
    fc.string({ maxLength: 20 }),
  );
}

function valueOf(schema: Schema, document: Document): fc.Arbitrary<unknown> {
  const { $ref, properties, items } = schema;
  if ($ref !== undefined) {
    const target = document.components.schemas[$ref.split('/').at(-1) ?? ''];
    return target === undefined ? fc.jsonValue() : valueOf(target, document);
  }
  if (schema.enum !== undefined) return fc.constantFrom(...schema.enum);
  const other = fc.jsonValue({ maxDepth: 1 });
  if (properties !== undefined) {
    const fields = Object.entries(properties).map(([name, each]) => [name, valueOf(each, document)]);
    const record = fc.record(Object.fromEntries(fields) as Record<string, fc.Arbitrary<unknown>>, {
      requiredKeys: [],
    });
    return fc.oneof({ weight: 8, arbitrary: record }, { weight: 1, arbitrary: other });
  }
  const value = items === undefined ? text : fc.array(valueOf(items, document), { maxLength: 3 });
  // Small numbers: a run of a billion instances is allowed, and would only take long.
  const number = fc.integer({ min: -3, max: 40 });
  const right = schema.type === 'integer' || schema.type === 'number' ? number : value;
  return fc.oneof(
    { weight: 6, arbitrary: right },
    { weight: 1, arbitrary: other },
    { weight: 1, arbitrary: number },
  );
}
