import { BusbarError, createConsumer, type HandlerContext, type Transport } from 'busbar';
import { virtualClock } from 'busbar/base';
import { memory } from 'busbar/internal/memory';
import { describe, expect, it } from 'vitest';
import {
  type AccountHandler,
  account,
  accounts,
  catalogue,
  gate,
  handledBy,
  message,
  scripted,
  setUp,
} from '../account-consumer.js';
import { accountCreated, envelope, leaveCompleted, recordOf } from '../records.js';

describe('a running consumer', () => {
  it('handles records in order, and finishes when the source ends', async () => {
    const seen: string[] = [];
    const { transport, run } = setUp((number) => void seen.push(number));
    transport.send(...accounts(250));
    transport.end();
    const running = await run();
    await running.finished;
    expect(seen).toEqual(Array.from({ length: 250 }, (_, n) => String(n)));
    expect(running.counts).toMatchObject({ handled: 250, deadLettered: 0 });
  });

  it('passes clock, random numbers and names of the run to a handler', async () => {
    const contexts: HandlerContext[] = [];
    const { transport, run, log } = setUp((_, context) => void contexts.push(context));
    transport.send(account('1'));
    transport.end();
    const clock = virtualClock(86_400_000);
    const random = () => 0.5;
    await (await run({ clock, random })).finished;
    expect(contexts).toMatchObject([
      { attempt: 1, clock, random, logger: log, handler: 'account.created-v1', consumer: 'consumer' },
    ]);
    expect(contexts[0]!.signal.aborted).toBe(false);
  });

  it('keeps an option of the consumer that is undefined in the run', async () => {
    const { transport, run, log } = setUp((number, { logger }) => logger.warn(number));
    transport.send(account('1'));
    transport.end();
    await (await run({ logger: undefined } as never)).finished;
    expect(log.lines).toEqual(['warn: 1']);
  });

  it('keeps the order when some handlers are asynchronous', async () => {
    const seen: string[] = [];
    let running = 0;
    const { transport, run } = setUp((number) => {
      expect(running).toBe(0);
      if (Number(number) % 3 === 0) return void seen.push(number);
      running++;
      return new Promise((resolve) =>
        setImmediate(() => {
          running--;
          seen.push(number);
          resolve();
        }),
      );
    });
    transport.send(...accounts(60));
    transport.end();
    await (await run()).finished;
    expect(seen).toEqual(Array.from({ length: 60 }, (_, n) => String(n)));
  });

  it('handles partitions independently', async () => {
    const blocked = gate();
    const others = gate();
    let handled = 0;
    const { transport, run } = setUp(
      (number) => {
        if (number === 'slow') return blocked.opened;
        if (++handled === 500) others.open();
        return undefined;
      },
      { partitions: 2 },
    );
    transport.send({ ...account('slow'), partition: 0 });
    transport.send(...accounts(500).map((each) => ({ ...each, partition: 1 })));
    transport.end();
    const running = await run();
    await others.opened;
    expect(running.counts.handled).toBe(500);
    blocked.open();
    await running.finished;
    expect(running.counts.handled).toBe(501);
  });

  it('takes no more than the window, and resumes when there is room', async () => {
    const blocked = gate();
    const seen: string[] = [];
    const transport = memory();
    const counted = countingTransport(transport);
    const consumer = createConsumer({ catalogue });
    consumer.on('account.created', 'v1', (event) => {
      seen.push(event.payload.account_number);
      return seen.length === 1 ? blocked.opened : undefined;
    });
    transport.send(...accounts(500));
    transport.end();
    const running = await consumer.run(counted.transport, { window: 20 });
    await counted.refused;
    expect(counted.taken()).toBe(20);
    blocked.open();
    await running.finished;
    expect(seen).toEqual(Array.from({ length: 500 }, (_, n) => String(n)));
  });

  it('counts skipped records by reason', async () => {
    const { transport, run } = setUp(() => undefined, {
      policies: { unknownEvents: 'ignore', undecodableRecords: 'ignore' },
    });
    transport.send(account('1'), message(leaveCompleted), message(leaveCompleted));
    transport.send(message({ type: 'no.such', version: 'v1', payload: {} }), { value: 'not JSON' });
    transport.send(message({ ...accountCreated, payload: {} }));
    transport.end();
    const running = await run();
    await running.finished;
    expect(running.counts).toEqual({
      handled: 1,
      skipped: { unhandled: 2, unknown: 1, superseded: 0, 'other-group': 0, invalid: 0, undecodable: 1 },
      deadLettered: 1,
      retried: 0,
    });
    expect(transport.deadLetters).toMatchObject([
      { cause: { code: 'invalid-event', event: 'account.created-v1', attempts: 0 } },
    ]);
  });

  it('resumes from the last settled record', async () => {
    const seen: string[] = [];
    const { transport, run } = setUp((number) => void seen.push(number));
    transport.send(account('1'));
    const first = await run();
    await handledBy(first, 1);
    await first.stop();
    transport.send(account('2'));
    transport.end();
    await (await run()).finished;
    expect(seen).toEqual(['1', '2']);
  });

  it('refuses records until the transport is open', async () => {
    const seen: string[] = [];
    const { consumer } = setUp((number) => void seen.push(number));
    const partition = { topic: 't', partition: 0 };
    const resumed: unknown[] = [];
    const commits: number[] = [];
    const eager = scripted((receiver) => {
      expect(receiver.receive(partition, [recordOf(envelope(accountCreated))])).toBe(0);
      receiver.end();
      return {
        commit: (_, offset) => void commits.push(offset),
        resume: (which) => {
          resumed.push(which);
          expect(receiver.receive(partition, [recordOf(envelope(accountCreated))])).toBe(1);
        },
        stop: () => Promise.resolve(),
      };
    });
    const running = await consumer.run(eager);
    await running.finished;
    expect(resumed).toEqual([partition]);
    expect(commits).toEqual([18]);
    expect(seen).toEqual(['A-1B2C3D4E']);
  });
});

describe('a handler that fails', () => {
  const failing: AccountHandler[] = [
    (number) => {
      if (number === '1') throw new TypeError('account A-5EC7E7 is odd');
    },
    async (number) => {
      await Promise.resolve();
      if (number === '1') throw new TypeError('account A-5EC7E7 is odd');
    },
  ];

  it.each(failing)('dead-letters its record, and the next one is handled (%#)', async (handler) => {
    const { transport, run, log } = setUp(handler);
    transport.send(...accounts(3));
    transport.end();
    const running = await run();
    await running.finished;
    expect(running.counts).toMatchObject({ handled: 2, deadLettered: 1 });
    const [letter] = transport.deadLetters;
    expect(letter!.record.offset).toBe(1);
    expect(letter!.cause).toEqual({
      code: 'handler-failed',
      event: 'account.created-v1',
      handler: 'account.created-v1',
      attempts: 1,
      message:
        'Handler "account.created-v1" of event "account.created-v1" failed with TypeError ' +
        '(topic "platform.events", partition 0, offset 1).',
      error: { class: 'TypeError', at: expect.stringMatching(/^test\/src\/running\/run\.test\.ts:\d+:\d+$/) },
    });
    expect(log.lines).toHaveLength(1);
    expect(log.lines[0]).toMatch(
      /^error: handler failed \{"code":"handler-failed","at":"test\/src\/running\/run\.test\.ts:\d+:\d+","error":"Handler/,
    );
    expect(log.lines[0]).not.toContain('A-5EC7E7');
  });

  it.each(failing)(
    'ends the run without dead letters, and its record is redelivered (%#)',
    async (handler) => {
      const { transport, consumer, run, log } = setUp(handler, { deadLetters: false });
      transport.send(...accounts(3));
      transport.end();
      const running = await run();
      const error: unknown = await running.finished.catch((reason: unknown) => reason);
      expect(error).toBeInstanceOf(BusbarError);
      expect(error).toMatchObject({ code: 'handler-failed', cause: expect.any(TypeError) });
      expect(log.lines.at(-1)).toMatch(/^error: consumer failed \{"error":"Handler/);
      expect(running.counts).toMatchObject({ handled: 1 });

      const again: string[] = [];
      const second = createConsumer({ catalogue });
      second.on('account.created', 'v1', (event) => void again.push(event.payload.account_number));
      await (await second.run(transport)).finished;
      expect(again).toEqual(['1', '2']);
      expect(consumer).toBeDefined();
    },
  );

  it('ends the run like an invalid event under the policy "fail"', async () => {
    const { transport, run } = setUp(() => undefined, { policies: { invalidEvents: 'fail' } });
    transport.send(account('1'), message({ ...accountCreated, payload: {} }), account('2'));
    transport.end();
    const running = await run();
    await expect(running.finished).rejects.toMatchObject({ code: 'invalid-event' });
    expect(running.counts.handled).toBe(1);
  });
});

/** Counts what a run takes of a transport. */
function countingTransport(inner: Transport) {
  let taken = 0;
  const first = gate();
  const transport: Transport = {
    ...inner,
    open: (receiver, options) =>
      inner.open(
        {
          receive(partition, records) {
            const count = receiver.receive(partition, records);
            taken += count;
            if (count < records.length) first.open();
            return count;
          },
          revoke: (partitions) => receiver.revoke(partitions),
          end: () => receiver.end(),
          fail: (error) => receiver.fail(error),
        },
        options,
      ),
  };
  return { transport, refused: first.opened, taken: () => taken };
}
