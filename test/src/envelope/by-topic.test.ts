import {
  busbarEnvelope,
  createConsumer,
  type EnvelopeChoice,
  type EnvelopeCodec,
  eventBridgeEnvelope,
} from 'busbar';
import { describe, expect, it } from 'vitest';
import { logLines } from '../log-lines.js';
import { accountCreated, envelope, headersOf, recordOf } from '../records.js';

const inTopic = (topic: string, value: string, headers = {}) => ({ ...recordOf(value, headers), topic });
const default_ = (topic: string) => inTopic(topic, envelope(accountCreated), headersOf(accountCreated));
const bridged = (topic: string) =>
  inTopic(topic, JSON.stringify({ 'detail-type': 'account.created-v1', detail: accountCreated.payload }));

/** One's own: the value is the payload, and the topic says what it is. */
const bare: EnvelopeCodec = {
  name: 'bare',
  peek: () => ({ type: 'account.created', version: 'v1' }),
  decode: ({ value }) => ({
    type: 'account.created',
    version: 'v1',
    id: undefined,
    occurredAt: undefined,
    payload: JSON.parse(String(value)),
  }),
};

function consumerOf(choice: EnvelopeChoice) {
  const consumer = createConsumer({ envelope: choice, logger: logLines() });
  consumer.on('account.created', 'v1', () => undefined);
  return async (record: ReturnType<typeof default_>) => (await consumer.verdictOn(record)).action;
}

describe('the envelope of a topic', () => {
  it('depends on the topic name, else "default", else the default envelope', async () => {
    const withDefault = consumerOf({ bare, default: eventBridgeEnvelope() });
    expect(await withDefault(inTopic('bare', JSON.stringify(accountCreated.payload)))).toBe('handle');
    expect(await withDefault(bridged('other'))).toBe('handle');
    expect(await withDefault(default_('other'))).toBe('dead-letter');
    expect(await consumerOf({ bare })(default_('other'))).toBe('handle');
  });

  it('calls a choosing function once for each topic', async () => {
    const asked: string[] = [];
    const dispatch = consumerOf((topic) => {
      asked.push(topic);
      return topic.startsWith('aws.') ? eventBridgeEnvelope() : undefined;
    });
    for (const record of [bridged('aws.a'), default_('b'), bridged('aws.a'), bridged('aws.c')]) {
      expect(await dispatch(record)).toBe('handle');
    }
    expect(asked).toEqual(['aws.a', 'b', 'aws.c']);
  });

  it('rejects a value that is not a codec', async () => {
    await expect(() => consumerOf({ a: busbarEnvelope(), b: {} as never })(default_('a'))).rejects.toThrow(
      '"envelope" for topic "b" is not a codec',
    );
  });

  it('rejects what a choosing function returns instead of dead-lettering the topic', async () => {
    const verdict = consumerOf(() => 'cloudevents' as never)(default_('a'));
    await expect(verdict).rejects.toThrow('"envelope" for topic "a" is not a codec');
  });
});
