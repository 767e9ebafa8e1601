import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { busbarEnvelope, envelopeNames, eventBridgeEnvelope, openCatalogue, openEnvelope } from 'busbar';
import { describe, expect, it, onTestFinished } from 'vitest';
import { accountCreated, recordOf } from '../records.js';

const catalogue = openCatalogue();

function folderWith(file: string, text: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'busbar-envelope-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  writeFileSync(join(folder, file), text);
  return folder;
}

describe('an envelope in a configuration', () => {
  it.each(envelopeNames)('opens the wire format %s', async (name) => {
    const codec = await openEnvelope(name);
    const about = { id: 'x-1', occurrenceId: 'x-0', occurredAt: '2026-03-01T00:00:00.000Z' };
    const { value, headers } = codec.encode!({ ...accountCreated, ...about });
    const record = recordOf(value, headers);
    const decoded = codec.decode(record, codec.peek(record, catalogue), catalogue);
    expect(decoded).toMatchObject({ ...accountCreated, id: 'x-1' });
  });

  it('opens a module, relative to a directory', async () => {
    const codec = "{ name: 'mine', peek: () => undefined, decode: () => undefined }";
    const directory = folderWith('mine.mjs', `export const envelope = ${codec}`);
    expect(await openEnvelope('./mine.mjs', { directory })).toMatchObject({ name: 'mine' });
    const other = folderWith('mine.mjs', `export default ${codec}`);
    expect(await openEnvelope('mine.mjs', { directory: other })).toMatchObject({ name: 'mine' });
  });

  it('opens a codec, or paths', async () => {
    const codec = busbarEnvelope();
    expect(await openEnvelope(codec)).toBe(codec);
    expect(await openEnvelope({ type: '/type', payload: '' })).toMatchObject({ name: 'at paths' });
  });

  it('opens another one for each topic', async () => {
    const byTopic = await openEnvelope({ 'platform.events': 'eventbridge', default: busbarEnvelope() });
    const { value } = eventBridgeEnvelope().encode({
      ...accountCreated,
      id: 'x-1',
      occurrenceId: 'x-0',
      occurredAt: '2026-03-01T00:00:00.000Z',
    });
    expect(byTopic.decode(recordOf(value), undefined, catalogue)).toMatchObject(accountCreated);
    expect(await openEnvelope({ type: 'eventbridge' })).toMatchObject({ name: 'by topic' });
    const elsewhere = { ...recordOf(value), topic: 'other' };
    expect(() => byTopic.decode(elsewhere, undefined, catalogue)).toThrow('no string "event_type"');
  });

  it.each([
    ['eventbrige', 'Envelope "eventbrige" does not exist. Did you mean "eventbridge"?'],
    ['avro', 'Envelope "avro" does not exist. The envelopes are busbar, cloudevents,'],
    ['./none.mjs', 'File "./none.mjs" does not exist. Check its path.'],
    [7, '"envelope" must be a name (busbar,'],
    [{}, '"envelope" must be a name (busbar,'],
    [{ default: null }, '"envelope" must be a name (busbar,'],
    [['busbar'], '"envelope" must be a name (busbar,'],
    [
      { type: 'x' },
      '"type" must be a JSON pointer, for example "/meta/type", or "header:" and a name, not "x".',
    ],
    [{ type: '/meta/type', version: '/meta/version' }, '"payload" is missing. It must be a JSON pointer,'],
    [{ payload: '/data' }, '"type" is missing. It must be a JSON pointer,'],
  ])('fails for %j', async (setting, message) => {
    await expect(openEnvelope(setting as string)).rejects.toThrow(message);
  });

  it('fails when its module exports no codec', async () => {
    const directory = folderWith('mine.mjs', 'export const codec = {}');
    await expect(openEnvelope('./mine.mjs', { directory })).rejects.toThrow(
      'Module "./mine.mjs" exports no envelope. Export a codec as "envelope" or as default.',
    );
  });
});
