import { createConsumer, eventBridgeEnvelope, openCatalogue } from 'busbar';
import { describe, expect, it } from 'vitest';
import { logLines } from '../log-lines.js';
import { accountCreated, recordOf } from '../records.js';

const catalogue = openCatalogue({
  events: [
    {
      $id: 'tariff.changed-v1',
      'x-event-type': 'tariff.changed',
      'x-event-version': 'v1',
      description: 'A tariff changed.',
      type: 'object',
    },
  ],
});

function setUp() {
  const log = logLines();
  const consumer = createConsumer({ catalogue, envelope: eventBridgeEnvelope(), logger: log });
  consumer.onAny(() => undefined);
  return { consumer, log };
}

const event = (members: object) =>
  JSON.stringify({
    version: '0',
    id: '6a7e8feb-b491-4cf7-a9f1-bf3703467718',
    'detail-type': 'account.created-v1',
    source: 'platform',
    account: '111122223333',
    time: '2026-03-01T00:00:00Z',
    region: 'eu-west-1',
    resources: [],
    detail: accountCreated.payload,
    ...members,
  });

describe('an EventBridge event', () => {
  it('contains its catalogue name in detail-type and its payload in detail', async () => {
    const { consumer } = setUp();
    expect(await consumer.verdictOn(recordOf(event({})))).toMatchObject({
      action: 'handle',
      event: {
        id: '6a7e8feb-b491-4cf7-a9f1-bf3703467718',
        type: 'account.created',
        version: 'v1',
        occurredAt: '2026-03-01T00:00:00Z',
        payload: accountCreated.payload,
      },
    });
  });

  it('decodes for every event of the catalogue', () => {
    const codec = eventBridgeEnvelope();
    for (const { name, type, version } of catalogue.events) {
      const decoded = codec.decode(recordOf(event({ 'detail-type': name })), undefined, catalogue);
      expect(decoded).toMatchObject({ type, version });
    }
  });

  it('counts as unknown when the catalogue lacks its name', async () => {
    const { consumer, log } = setUp();
    const verdict = await consumer.verdictOn(recordOf(event({ 'detail-type': 'account.vanished-v1' })));
    expect(verdict).toEqual({ action: 'skip', reason: 'unknown' });
    expect(log.lines[0]).toContain('The catalogue has no event \\"account.vanished-v1\\".');
  });

  it.each([
    ['[]', 'not an object'],
    [event({ 'detail-type': 7 }), 'no string "detail-type"'],
    [event({ 'detail-type': '' }), 'no string "detail-type"'],
    [event({ detail: undefined }), 'no "detail"'],
    [event({ id: {} }), '"id" that is not text'],
    [event({ time: 5 }), '"time" that is not text'],
  ])('counts as undecodable: %s', async (value, message) => {
    const verdict = await setUp().consumer.verdictOn(recordOf(value));
    expect(verdict).toMatchObject({
      reason: 'undecodable',
      error: { message: expect.stringContaining(message) },
    });
  });
});
