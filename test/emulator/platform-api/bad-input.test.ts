import { type IncomingMessage, request } from 'node:http';
import { once } from 'node:events';
import { describe, expect, it } from 'vitest';
import { serve } from './serve.js';

const post = (body: string, type = 'application/json'): RequestInit => ({
  method: 'POST',
  headers: { 'Content-Type': type },
  body,
});

describe('an invalid request', () => {
  it.each<[string, string, RequestInit, string]>([
    ['a path that there is not', 'nothing', {}, '404 not_found'],
    ['the root', '', {}, '404 not_found'],
    ['a path in other letters', 'Products/', {}, '404 not_found'],
    ['a path that cannot be decoded', '%E0%A4%A', {}, '404 not_found'],
    ['a part of a path that cannot be decoded', 'products/%E0%A4%A/', {}, '400 malformed_request'],
    ['data-import without credentials', 'data-import/accounts/', post('{}'), '401 not_authenticated'],
    ['a part of data-import that is none', 'data-import/meters/', post('{}'), '404 not_found'],
    ['a method that a path does not take', 'products/', { method: 'DELETE' }, '405 method_not_allowed'],
    ['JSON that is none', 'graphql/', post('{"query": '), '400 malformed_json'],
    ['no body', 'graphql/', { method: 'POST' }, '415 unsupported_media_type'],
    ['another type', 'graphql/', post('{}', 'text/plain'), '415 unsupported_media_type'],
    [
      'another character set',
      'graphql/',
      post('{}', 'application/json; charset=x'),
      '415 unsupported_media_type',
    ],
    ['a body that is too large', 'graphql/', post(`"${'x'.repeat(1_000_001)}"`), '413 body_too_large'],
    ["a body that isn't an object", 'graphql/', post('[1]'), '400 invalid_request body:invalid_type'],
    ['null', 'graphql/', post('null'), '400 invalid_request body:invalid_type'],
    [
      'all members of the wrong type',
      'graphql/',
      post('{"query":1,"operationName":{},"variables":[]}'),
      '400 invalid_request query:invalid_type operationName:invalid_type variables:invalid_type',
    ],
  ])('for %s the answer is JSON', async (_, path, init, expected) => {
    const { refused } = await serve();
    expect(await refused(path, init)).toBe(expected);
  });

  it('names the type that a member of a body must have', async () => {
    const { ask } = await serve();
    const details = async (body: string) => {
      const { errors } = (await ask('graphql/', post(body))).body as { errors: { detail: string }[] };
      return errors.map(({ detail }) => detail);
    };
    expect(await details('null')).toEqual(['Must be object.']);
    expect(await details('{"query":1,"variables":[]}')).toEqual([
      'Must be string.',
      'Must be object or null.',
    ]);
  });

  it('names the methods of the path', async () => {
    const { ask } = await serve();
    const allowed = async (path: string, method: string) =>
      (await ask(path, { method })).headers.get('allow');
    expect(await allowed('products', 'POST')).toBe('GET, HEAD');
    expect(await allowed('accounts/A-1B2C3D4E/', 'PUT')).toBe('GET, HEAD');
    expect(await allowed('graphql/', 'GET')).toBe('POST');
    expect(await allowed('products/', 'OPTIONS')).toBe('GET, HEAD');
  });

  it('answers HEAD as GET, without a body', async () => {
    const { ask } = await serve();
    const { status, headers, text } = await ask('products/', { method: 'HEAD' });
    expect([status, text]).toEqual([200, '']);
    expect(Number(headers.get('content-length'))).toBeGreaterThan(1000);
  });

  it('says what is wrong with a GraphQL document in GraphQL', async () => {
    const { ask } = await serve();
    for (const query of [
      '{',
      '{ nothing }',
      `{ ${'version '.repeat(2000)} }`,
      'mutation { obtainToken { token } }',
    ]) {
      const { status, body } = await ask('graphql/', post(JSON.stringify({ query })));
      expect(status).toBe(200);
      expect(body).toMatchObject({ errors: [{ message: expect.any(String) }] });
    }
  });

  it.each([
    ['a foreign host', { headers: { Host: 'evil.example' } }],
    ['no host', { setHost: false }],
  ])('refuses %s in the shape of every error', async (_, options) => {
    const { base } = await serve();
    const asking = request(`${base}products/`, options).end();
    const [response] = (await once(asking, 'response')) as [IncomingMessage];
    expect([response.statusCode, response.headers['content-type']]).toEqual([
      403,
      'application/json; charset=utf-8',
    ]);
    let text = '';
    for await (const chunk of response) text += String(chunk);
    expect(JSON.parse(text)).toEqual({ detail: expect.any(String), code: 'foreign_host', errors: [] });
  });
});
