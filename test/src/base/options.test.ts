import { describe, expect, it } from 'vitest';
import { openCatalogue } from '../../../catalogue/index.js';
import { cloudEventsEnvelope, createConsumer, onAny, run } from '../../../src/index.js';
import { idempotent, memoryStore, postgresStore } from '../../../src/idempotency/index.js';
import { memory } from '../../../src/transports/memory.js';
import { metrics, serveOperations, traces } from '../../../src/operations/index.js';
import { kafka } from '../../../src/transports/kafka/index.js';
import { websocket } from '../../../src/transports/websocket.js';
import { type Call, describeOptions, type Described, refusal } from '../../options-of.js';

const handler = () => undefined;
const records = { brokers: ['127.0.0.1:9092'], groupId: 'billing', topics: ['platform.events'] };
const pool = { connect: () => Promise.reject(new Error('not called')) };

/** Every public function of the framework that takes options, with those that it cannot do without. */
const functions: readonly Described[] = [
  ['createConsumer()', createConsumer, {}],
  ['run()', (options) => run(memory(), options), {}],
  ['run() of a consumer', (options) => createConsumer().run(memory(), options), {}],
  ['on()', (options) => createConsumer().on('account.created', 'v1', handler, options), {}],
  ['onMatching()', (options) => createConsumer().onMatching('billing.*', handler, options), {}],
  ['onAny()', (options) => createConsumer().onAny(handler, options), {}],
  ['kafka()', kafka, records],
  ['websocket()', websocket, { url: 'ws://127.0.0.1:4100/events' }],
  ['memory()', memory, {}],
  ['idempotent()', idempotent, { store: memoryStore() }],
  ['memoryStore()', memoryStore, {}],
  ['postgresStore()', postgresStore, { pool }],
  ['cloudEventsEnvelope()', cloudEventsEnvelope, {}],
  ['openCatalogue()', openCatalogue, {}],
  ['serveOperations()', (options) => serveOperations({ health: () => ({}) as never }, options), { port: 0 }],
  ['metrics()', metrics, {}],
  ['traces()', traces, {}],
];

describeOptions('options of the framework', functions);

describe('options', () => {
  it.each(functions)('rejects a value that is not an object: %s', async (_, call) => {
    expect(await refusal(call, 'fast' as never)).toContain('the options must be an object, not "fast".');
    expect(await refusal(call, null as never)).toContain('the options must be an object, not null.');
    expect(await refusal(call, [] as never)).toContain('the options must be an object, not an empty list.');
  });

  it.each<[message: string, call: Call, options: object]>([
    ['kafka(): there is no option "retries". The options are groupId,', kafka, { ...records, retries: 3 }],
    [
      'kafka(): "groupId" is missing. It must be a non-empty string.',
      kafka,
      { brokers: records.brokers, topics: records.topics },
    ],
    [
      'kafka(): "brokers" must be a list of at least one item (each a broker as "host:port"), not "localhost:9092".',
      kafka,
      { ...records, brokers: 'localhost:9092' },
    ],
    ['kafka(): there is no option "topic". Did you mean "topics"?', kafka, { topic: 'platform.events' }],
    [
      'kafka(): mechanism "plain" needs "sasl.password". Set it.',
      kafka,
      { ...records, sasl: { mechanism: 'plain', username: 'billing' } },
    ],
    [
      'kafka(): "brokers" conflicts with "client", which has its own. Remove one of them.',
      kafka,
      { ...records, client: { connect: handler } },
    ],
    [
      'kafka(): "deadLetterTopic" must return the name of another topic for "platform.events".',
      kafka,
      { ...records, deadLetterTopic: (topic: string) => topic },
    ],
    [
      'createConsumer(): "retry.attempts" must be a whole number of at least 1 or Infinity, not "x".',
      createConsumer,
      { retry: { attempts: 'x' } },
    ],
    [
      'createConsumer(): there is no option "retry.backoff.inital". Did you mean "initial"?',
      createConsumer,
      { retry: { backoff: { inital: 5 } } },
    ],
    [
      'createConsumer(): "deadline" must be a number above 0 and at most 2147483647 or Infinity (milliseconds), not NaN.',
      createConsumer,
      { deadline: Number.NaN },
    ],
  ])('fail with one line: %s', async (message, call, options) => {
    expect(await refusal(call, options)).toContain(message);
  });

  it('keep secrets out of messages', async () => {
    const sasl = { mechanism: 'plain', username: 'billing', password: 20_261_122 };
    const message = await refusal(kafka, { ...records, sasl });
    expect(message).toBe('kafka(): "sasl.password" must be a string, not a number.');
  });

  it('count as absent when undefined', () => {
    expect(() => createConsumer({ deadline: undefined } as never)).not.toThrow();
    const client = { connect: handler };
    expect(() => kafka({ ...records, client, brokers: undefined } as never)).not.toThrow();
  });

  it('follow the transport', async () => {
    onAny(handler);
    await expect(run('kafka' as never)).rejects.toThrow(
      'run(): "transport" must be made by kafka(), websocket() or memory(), not "kafka".',
    );
    await expect(run(undefined as never)).rejects.toThrow('run(): "transport" is missing.');
  });
});
