import { cloudEventsEnvelope, type Consumer, type ConsumerOptions, createConsumer } from 'busbar';
import { idempotent, memoryStore } from 'busbar/idempotency';
import { memory, type MemoryRecord } from 'busbar/internal/memory';
import { describe, expect, it } from 'vitest';
import { logLines } from '../log-lines.js';
import { documentIssuedV1, documentIssuedV2, envelope, headersOf, type SentEvent } from '../records.js';

const { type } = documentIssuedV1;

/** One version of an occurrence; its id is its own. */
function version(event: SentEvent, occurrence: string | undefined): MemoryRecord {
  const shared = occurrence === undefined ? {} : { 'occurrence-id': occurrence };
  return {
    key: 'A-1',
    value: envelope(event, `${event.version} of ${occurrence}`),
    headers: { ...headersOf(event), ...shared },
  };
}

const both = (occurrence: string) => [
  version(documentIssuedV1, occurrence),
  version(documentIssuedV2, occurrence),
];

/** Runs a consumer over the records, to their end. */
async function handled(
  records: readonly MemoryRecord[],
  define: (consumer: Consumer, handle: (name: string) => () => void) => void,
  options: ConsumerOptions = {},
) {
  const log = logLines();
  const consumer = createConsumer({ logger: log, ...options });
  const calls: string[] = [];
  define(consumer, (name) => () => void calls.push(name));
  const transport = memory({ records });
  transport.end();
  const running = await consumer.run(transport);
  await running.finished;
  return { calls, counts: running.counts, log: log.lines, deadLetters: transport.deadLetters };
}

const onBoth = (consumer: Consumer, handle: (name: string) => () => void) =>
  consumer.on(type as never, ['v1', 'v2'] as never, handle('both'));

describe("idempotent({ by: 'occurrence' })", () => {
  it('handles an occurrence once, whichever versions arrive', async () => {
    const records = [...both('a'), ...both('b').reverse(), ...both('a')];
    const by = (choice: 'event' | 'occurrence') =>
      handled(records, (consumer, handle) => {
        consumer.use(idempotent({ store: memoryStore(), by: choice }));
        onBoth(consumer, handle);
      });
    expect((await by('event')).calls).toHaveLength(4);
    expect((await by('occurrence')).calls).toHaveLength(2);
  });

  it('calls each handler of one version', async () => {
    const { calls } = await handled(both('a'), (consumer, handle) => {
      consumer.use(idempotent({ store: memoryStore(), by: 'occurrence' }));
      consumer.on(type as never, 'v1' as never, handle('first'));
      consumer.on(type as never, 'v2' as never, handle('second'));
    });
    expect(calls).toEqual(['first', 'second']);
  });

  it('distinguishes event types that share an id', async () => {
    const created = {
      type: 'account.created',
      version: 'v1',
      payload: { account_number: 'A-1', account_user_emails: [] },
    };
    const { calls } = await handled([...both('a'), version(created, 'a')], (consumer, handle) => {
      consumer.use(idempotent({ store: memoryStore(), by: 'occurrence' }));
      consumer.onAny(handle('any'));
    });
    expect(calls).toHaveLength(2);
  });

  it('recognises an occurrence after an upcast', async () => {
    const { calls } = await handled(both('a'), (consumer, handle) => {
      consumer.use(idempotent({ store: memoryStore(), by: 'occurrence' }));
      consumer.upcast(type as never, 'v1' as never, 'v2' as never, () => documentIssuedV2.payload as never);
      consumer.on(type as never, 'v2' as never, handle('raised'));
    });
    expect(calls).toEqual(['raised']);
  });

  it('reads the extension attribute of a CloudEvent', async () => {
    const cloud = ({ type, version, payload }: SentEvent, occurrence: string): MemoryRecord => ({
      key: 'A-1',
      headers: {
        'content-type': 'application/json',
        ce_specversion: '1.0',
        ce_type: type,
        ce_eventversion: version,
        ce_source: '/platform',
        ce_id: `${version} of ${occurrence}`,
        ce_occurrenceid: occurrence,
      },
      value: JSON.stringify(payload),
    });
    const { calls } = await handled(
      [cloud(documentIssuedV1, 'a'), cloud(documentIssuedV2, 'a'), cloud(documentIssuedV1, 'b')],
      (consumer, handle) => {
        consumer.use(idempotent({ store: memoryStore(), by: 'occurrence' }));
        onBoth(consumer, handle);
      },
      { envelope: cloudEventsEnvelope() },
    );
    expect(calls).toHaveLength(2);
  });

  it('fails without retries when the envelope carries no occurrence id', async () => {
    const { calls, deadLetters } = await handled(
      [version(documentIssuedV2, undefined)],
      (consumer, handle) => {
        consumer.use(idempotent({ store: memoryStore(), by: 'occurrence' }));
        onBoth(consumer, handle);
      },
    );
    expect(calls).toEqual([]);
    expect(deadLetters).toMatchObject([{ cause: { attempts: 1 } }]);
    expect(deadLetters[0]?.cause.message).toContain(
      `The envelope of event "${type}-v2" carries no occurrence id. ` +
        'Handle one version of the event, or give idempotent() a "key" (topic "platform.events", partition 0, offset 0).',
    );
  });

  it('fails without retries when "key" returns no string', async () => {
    const { calls, deadLetters } = await handled(both('a').slice(1), (consumer, handle) => {
      consumer.use(idempotent({ store: memoryStore(), key: () => undefined as never }));
      onBoth(consumer, handle);
    });
    expect(calls).toEqual([]);
    expect(deadLetters[0]?.cause).toMatchObject({
      attempts: 1,
      message: expect.stringContaining(
        `The "key" of idempotent() returned no string for event "${type}-v2"`,
      ) as string,
    });
  });

  it('rejects "by" together with "key"', () => {
    expect(() => idempotent({ store: memoryStore(), by: 'event', key: () => 'x' })).toThrow(
      'idempotent(): "by" conflicts with "key". Set only one of them.',
    );
  });
});

describe('a consumer at its start', () => {
  const store = memoryStore();
  const warnings = async (define: Parameters<typeof handled>[1], options: ConsumerOptions = {}) =>
    (await handled([], define, options)).log.filter((line) => line.startsWith('warn'));

  it('warns of a handler that runs for each version of an occurrence', async () => {
    expect(await warnings(onBoth)).toEqual([
      `warn: handler runs for each version of an occurrence ${JSON.stringify({
        handler: `${type}-v1, ${type}-v2`,
        event: type,
        versions: ['v1', 'v2'],
        moreEvents: 0,
        fix: `Handle one version, set "preferLatest", use idempotent({ by: 'occurrence' }), or set "everyVersion".`,
      })}`,
    ]);
  });

  it('warns of patterns and upcasts with the same effect', async () => {
    expect(await warnings((consumer, handle) => consumer.onMatching('billing.*', handle('all')))).toEqual([
      expect.stringMatching(
        /^warn: handler runs for each version of an occurrence .*"billing\.\*".*"moreEvents":[1-9]/,
      ),
    ]);
    const upcasting = await warnings((consumer, handle) => {
      consumer.upcast(type as never, 'v1' as never, 'v2' as never, () => documentIssuedV2.payload as never);
      consumer.on(type as never, 'v2' as never, handle('raised'));
    });
    expect(upcasting).toEqual([expect.stringContaining('"versions":["v1","v2"]')]);
  });

  it.each<[how: string, define: Parameters<typeof handled>[1], options?: ConsumerOptions]>([
    ['one version', (consumer, handle) => consumer.on(type as never, 'v2' as never, handle('second'))],
    [
      'a handler for each version',
      (consumer, handle) => {
        consumer.on(type as never, 'v1' as never, handle('first'));
        consumer.on(type as never, 'v2' as never, handle('second'));
      },
    ],
    ['preferLatest', onBoth, { preferLatest: true }],
    ['onAny, which asks for every event', (consumer, handle) => consumer.onAny(handle('any'))],
    [
      "idempotent({ by: 'occurrence' }) of the consumer",
      (consumer, handle) => {
        onBoth(consumer, handle);
        consumer.use(idempotent({ store, by: 'occurrence' }));
      },
    ],
    [
      'idempotent({ key }) of the handler',
      (consumer, handle) =>
        consumer.on(type as never, ['v1', 'v2'] as never, handle('both'), {
          use: [idempotent({ store, key: () => 'x' })],
        }),
    ],
    [
      'everyVersion',
      (consumer, handle) =>
        consumer.on(type as never, ['v1', 'v2'] as never, handle('both'), { everyVersion: true }),
    ],
  ])('does not warn of %s', async (_, define, options) => {
    expect(await warnings(define, options)).toEqual([]);
  });

  it('warns when idempotent() recognises only events', async () => {
    const define: Parameters<typeof handled>[1] = (consumer, handle) => {
      consumer.use(idempotent({ store }));
      onBoth(consumer, handle);
    };
    expect(await warnings(define)).toHaveLength(1);
  });
});
