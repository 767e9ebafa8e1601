import { Ajv2020 } from 'ajv/dist/2020.js';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { apiDocument } from '../../../emulator/platform-api/document.js';
import { anyCharacter } from '../../any-character.js';
import { cases } from '../../cases.js';
import { apiKey, basic, serve } from './serve.js';

interface Parameter {
  readonly name: string;
  readonly in: 'query' | 'path' | 'header';
  readonly example?: string;
  readonly schema: { readonly type: string };
}
interface Reply {
  readonly headers?: Readonly<Record<string, unknown>>;
  readonly content: { readonly 'application/json': { readonly schema: object } };
}
interface Operation {
  readonly requestBody?: {
    readonly content: { readonly 'application/json': { readonly example?: unknown } };
  };
  readonly parameters?: readonly (Parameter | { $ref: string })[];
  readonly responses: Readonly<Record<string, Reply | { $ref: string }>>;
}

/** The document without room for fields that it does not name. */
const document = JSON.parse(
  JSON.stringify(apiDocument(), (_key, value: unknown) =>
    typeof value === 'object' &&
    value !== null &&
    'type' in value &&
    value.type === 'object' &&
    'required' in value
      ? { additionalProperties: false, ...value }
      : value,
  ),
) as {
  paths: Record<string, Record<string, Operation>>;
  components: { parameters: Record<string, Parameter>; responses: Record<string, Reply> };
};
const ajv = new Ajv2020({ strict: false, validateFormats: false });
ajv.addSchema(document, 'api');

/** Resolves a reference. Returns its target and its path in the document. */
function resolve<T extends object>(value: T | { $ref: string }, at: string): [T, string] {
  if (!('$ref' in value)) return [value, at];
  const parts = value.$ref.slice(2).split('/');
  return [parts.reduce((place: never, part) => place[part], document as never), value.$ref];
}

/** Checks of an answer, by status: its schema and the headers that come with it. */
function replies(path: string, method: string, { responses }: Operation) {
  return new Map(
    Object.entries(responses).map(([status, response]) => {
      const place = `#/paths/${path.replaceAll('/', '~1')}/${method}/responses/${status}`;
      const [reply, at] = resolve(response, place);
      const pointer = `${at}/content/application~1json/schema`.split('/').map(encodeURIComponent).join('/');
      const validate = ajv.compile({ $ref: `api${pointer.replace('%23', '#')}` });
      return [status, { validate, headers: Object.keys(reply.headers ?? {}) }];
    }),
  );
}

const nasty = fc.oneof(
  fc.string({ unit: anyCharacter, maxLength: 40 }),
  fc.constantFrom(
    "' OR '1'='1",
    '"; DROP TABLE accounts; --',
    '../../etc/passwd',
    '<script>alert(1)</script>',
    '${jndi:ldap://x}',
    '\r\nX-Injected: 1',
    '%00',
    '0',
    '-1',
    '1e309',
    'NaN',
    'null',
    '__proto__',
    'constructor',
    '9'.repeat(40),
    'true',
    'false',
  ),
  fc.date({ noInvalidDate: true }).map((date) => date.toISOString()),
  fc.date({ noInvalidDate: true }).map((date) => date.toISOString().slice(0, 16)),
);
const json = fc.oneof(
  fc.json(),
  fc
    .record({ query: fc.oneof(nasty, fc.constant('{ version }')), variables: fc.jsonValue() })
    .map((body) => JSON.stringify(body)),
  fc.string(),
);
/** Examples of bodies in the document, and what can be done to them anywhere: almost all is as it should be. */
const ways = ['drop', 'null', 'blank', 'type', 'extra', 'nasty', 'twice'] as const;
const mutation = fc.record({ way: fc.constantFrom(...ways), place: fc.nat(), text: nasty });
type Mutation = typeof mutation extends fc.Arbitrary<infer M> ? M : never;

function mutated(body: unknown, mutations: readonly Mutation[]): unknown {
  const copy = structuredClone(body);
  for (const { way, place, text } of mutations) {
    const spots = spotsIn(copy);
    const spot = spots[place % spots.length];
    if (spot === undefined) break;
    const [holder, name] = spot;
    const value = holder[name];
    if (way === 'drop') Reflect.deleteProperty(holder, name);
    else if (way === 'null') holder[name] = null;
    else if (way === 'blank') holder[name] = Array.isArray(value) ? [] : '';
    else if (way === 'type') holder[name] = typeof value === 'string' ? 7 : String(value);
    else if (way === 'nasty') holder[name] = text;
    else if (way === 'twice') holder[name] = Array.isArray(value) ? [...value, ...value] : [value, value];
    else holder[text] = text;
  }
  return copy;
}

type Holder = Record<string, unknown>;
type Spot = readonly [holder: Holder, name: string];

function spotsIn(value: unknown): Spot[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, member]): Spot[] => [
    [value as Holder, name],
    ...spotsIn(member),
  ]);
}

/** Any valid header value. */
const headerText = nasty.map((text) => text.replaceAll(/[^\x20-\x7e]/g, ''));

const operations = Object.entries(document.paths).flatMap(([path, item]) =>
  Object.entries(item).map(([method, operation]) => ({ path, method, operation })),
);

describe('any request that the document allows or almost allows', () => {
  it.each(operations)(
    'to $method $path is answered as the document says, and never by a 5xx',
    async (each) => {
      const { path, method, operation } = each;
      const { ask } = await serve();
      const known = replies(path, method, operation);
      const parameters = (operation.parameters ?? []).map((parameter) => resolve(parameter, '')[0]);
      const wanted = (place: Parameter['in']) =>
        Object.fromEntries(
          parameters
            .filter((parameter) => parameter.in === place)
            .map(({ name, example }) => {
              const text = place === 'header' ? headerText : nasty;
              return [name, example === undefined ? text : fc.oneof(text, fc.constant(example))];
            }),
        );
      const requests = fc.record({
        path: fc.record(wanted('path')),
        query: fc.record(wanted('query'), { requiredKeys: [] }),
        more: fc.dictionary(nasty, nasty, { maxKeys: 2 }),
        headers: fc.record(
          {
            ...wanted('header'),
            Authorization: fc.oneof(headerText, fc.constant(basic(apiKey)), fc.constant(basic(apiKey, 'x'))),
          },
          { requiredKeys: [] },
        ),
        type: fc.constantFrom('application/json', 'application/json', 'text/plain', ''),
        body: json,
        slash: fc.boolean(),
      });
      await fc.assert(
        fc.asyncProperty(requests, async (request) => {
          const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
            encodeURIComponent(request.path[name] || 'x'),
          );
          const query = new URLSearchParams({ ...request.more, ...request.query } as Record<string, string>);
          const relative = request.slash ? filled : filled.replace(/\/$/, '');
          const headers = { ...request.headers, ...(method === 'post' && { 'Content-Type': request.type }) };
          const {
            status,
            headers: answered,
            body,
          } = await ask(`.${relative}?${query.toString()}`, {
            method: method.toUpperCase(),
            headers: headers as Record<string, string>,
            ...(method === 'post' && { body: request.body }),
          });
          expect(status).toBeLessThan(500);
          const reply = known.get(String(status));
          expect(reply, `status ${status} is not in the document`).toBeDefined();
          expect(answered.get('content-type')).toBe('application/json; charset=utf-8');
          expect(reply?.validate(body), JSON.stringify(reply?.validate.errors)).toBe(true);
          for (const name of reply?.headers ?? []) expect([name, answered.has(name)]).toEqual([name, true]);
        }),
        { numRuns: path === '/openapi.json' ? cases(1, 10) : cases(5, 150) },
      );
    },
  );
});

describe('a body that is almost as it should be', () => {
  const withExample = operations.flatMap((each) => {
    const example = each.operation.requestBody?.content['application/json'].example;
    return example === undefined ? [] : [{ ...each, example }];
  });

  it.each(withExample)('to $path is answered as the document says', async (each) => {
    const { path, method, operation, example } = each;
    const { ask, emulator } = await serve({ scenario: [] });
    emulator.setSupplier('NORTHERN_2026', {});
    const known = replies(path, method, operation);
    const headers = { Authorization: basic(apiKey), 'Content-Type': 'application/json' };
    const needsAccount = ['/data-import/notes/', '/data-import/transactions/'].includes(path);
    if (needsAccount || path === '/data-import/accounts/process/') {
      const { example: account } = withExample.find((other) => other.path === '/data-import/accounts/')!;
      await ask('data-import/accounts/', { method: 'POST', headers, body: JSON.stringify(account) });
      if (needsAccount) await emulator.advance(emulator.now + 86_400_000);
    }
    const bodies = fc.array(mutation, { maxLength: 3 });
    const statuses = new Set<number>();
    await fc.assert(
      fc.asyncProperty(bodies, async (mutations) => {
        const body = JSON.stringify(mutated(example, mutations));
        const { status, body: answer } = await ask(`.${path}`, { method: 'POST', headers, body });
        statuses.add(status);
        expect(status).toBeLessThan(500);
        const reply = known.get(String(status));
        expect(reply, `status ${status} is not in the document`).toBeDefined();
        expect(reply?.validate(answer), JSON.stringify(reply?.validate.errors)).toBe(true);
      }),
      // The first body is the example, which the API accepts.
      { numRuns: cases(15, 200), examples: [[[]]] },
    );
    expect([...statuses].some((status) => status < 300)).toBe(true);
    expect(statuses).toContain(400);
  });
});
