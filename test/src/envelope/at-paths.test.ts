import { createConsumer, envelopeAtPaths, type EnvelopePaths, openCatalogue, silentLogger } from 'busbar';
import { describe, expect, it } from 'vitest';
import { accountCreated, recordOf } from '../records.js';

const catalogue = openCatalogue();
const value = (members: object = {}) =>
  JSON.stringify({
    meta: { name: 'account.created', v: 'v1', 'a/b': { id: 7 } },
    data: accountCreated.payload,
    ...members,
  });
const inValue: EnvelopePaths = { type: '/meta/name', version: '/meta/v', payload: '/data' };

function dispatch(paths: EnvelopePaths, record: Parameters<typeof recordOf>) {
  const consumer = createConsumer({ catalogue, envelope: envelopeAtPaths(paths), logger: silentLogger });
  consumer.on('account.created', 'v1', () => undefined);
  return consumer.verdictOn(recordOf(...record));
}

describe('an envelope at paths', () => {
  it('reads every part from a member of the value', async () => {
    const paths = { ...inValue, id: '/meta/a~1b/id', occurredAt: '/meta/name' };
    expect(await dispatch(paths, [value()])).toMatchObject({
      action: 'handle',
      event: { ...accountCreated, id: '7', occurredAt: 'account.created' },
    });
  });

  it('reads every part but the payload from headers', async () => {
    const paths = { type: 'header:event', version: 'header:v', payload: '', id: 'header:id' };
    const headers = { event: 'account.created', v: 'v1', id: 'x-1' };
    const verdict = await dispatch(paths, [JSON.stringify(accountCreated.payload), headers]);
    expect(verdict).toMatchObject({ action: 'handle', event: { ...accountCreated, id: 'x-1' } });
  });

  it('reads a catalogue name where it has no version', async () => {
    const paths = { type: '/name', payload: '/data' };
    expect(await dispatch(paths, [value({ name: 'account.created-v1' })])).toMatchObject({
      action: 'handle',
      event: accountCreated,
    });
  });

  it('reads a payload that is JSON in a string', async () => {
    const data = JSON.stringify(accountCreated.payload);
    expect(await dispatch(inValue, [value({ data })])).toMatchObject({ event: accountCreated });
  });

  it.each([
    [
      { type: 'header:event', version: 'header:v', payload: '' },
      { event: 'lead.created', v: 'v1' },
    ],
    [{ type: 'header:event', payload: '' }, { event: 'account.updated-v1' }],
  ])('skips an event without a handler unparsed: %j', async (paths, headers) => {
    expect(await dispatch(paths, ['not JSON', headers])).toMatchObject({ action: 'skip' });
  });

  it.each([
    [inValue, value({ meta: {} }), 'The record has no string at "/meta/name".'],
    [inValue, value({ meta: { name: 'account.created' } }), 'The record has no string at "/meta/v".'],
    [inValue, value({ meta: { name: {}, v: 'v1' } }), 'The value at "/meta/name" is not text.'],
    [inValue, value({ data: undefined }), 'The value has no payload at "/data".'],
    [{ ...inValue, type: 'header:event' }, value(), 'The record has no string at "header:event".'],
  ])('counts as undecodable without a part: %j %s', async (paths, text, message) => {
    expect(await dispatch(paths, [text])).toMatchObject({
      reason: 'undecodable',
      error: { message: expect.stringContaining(message) as string },
    });
  });

  it.each([
    [{ ...inValue, type: 'meta.name' }, '"type" must be a JSON pointer'],
    [{ ...inValue, type: '' }, '"type" must be a JSON pointer'],
    [{ ...inValue, payload: 'header:data' }, '"payload" must be a JSON pointer'],
    [{ type: '/meta/name' }, '"payload" is missing'],
  ])('fails for %j', (paths, message) => {
    expect(() => envelopeAtPaths(paths as EnvelopePaths)).toThrow(message);
  });
});
