import { BusbarError, type ConsumerRecord, type RunOptions } from 'busbar';
import { virtualClock } from 'busbar/base';
import { describe, expect, it, vi } from 'vitest';
import { account, accountUpdated, gate, message, playOut, received, setUp } from '../account-consumer.js';
import { accountCreated, documentIssuedV1, headersOf, recordOf } from '../records.js';

const badFails = (number: string) => {
  if (number.startsWith('bad')) throw new TypeError('no');
};

describe('afterDeadLetter', () => {
  it('continues with the key by default', async () => {
    const { transport, run } = setUp(badFails);
    transport.send(account('bad', 'key-1'), account('2', 'key-1'), account('3', 'key-2'));
    transport.end();
    const running = await run();
    await running.finished;
    expect(running.counts).toMatchObject({ handled: 2, deadLettered: 1 });
  });

  it('ends the run with "stop", and later records are redelivered', async () => {
    const seen: string[] = [];
    const { transport, run } = setUp((number) => {
      badFails(number);
      seen.push(number);
    });
    transport.send(account('1', 'key-1'), account('bad', 'key-1'), account('3', 'key-1'));
    const running = await run({ afterDeadLetter: 'stop' });
    await expect(running.finished).rejects.toMatchObject({ code: 'handler-failed' });
    expect(running.health()).toMatchObject({
      status: 'unhealthy',
      reasons: [expect.stringMatching(/^The consumer has ended: Handler/)],
    });
    transport.end();
    await (await run()).finished;
    expect(seen).toEqual(['1', '3']);
    expect(transport.deadLetters).toHaveLength(1);
  });

  it('handles no later event of the key with "stop", also before one of another key', async () => {
    const seen: string[] = [];
    const { transport, run } = setUp(async (number) => {
      await Promise.resolve();
      badFails(number);
      seen.push(number);
    });
    transport.send(account('bad', 'key-1'), account('2', 'key-1'), account('3', 'key-2'));
    const running = await run({ afterDeadLetter: 'stop' });
    await expect(running.finished).rejects.toMatchObject({ code: 'handler-failed' });
    expect(seen).toEqual(['3']);
    transport.end();
    await (await run()).finished;
    expect(seen).toEqual(['3', '2', '3']);
    expect(transport.deadLetters).toHaveLength(1);
  });

  it('dead-letters later events of the key in order with "hold-key"', async () => {
    const clock = virtualClock();
    const seen: string[] = [];
    const { transport, run } = setUp(
      async (number) => {
        await Promise.resolve();
        badFails(number);
        seen.push(number);
      },
      { retry: { attempts: 3 }, afterDeadLetter: 'hold-key' },
    );
    transport.send(account('1', 'key-1'), account('bad', 'key-1'), account('other', 'key-2'));
    transport.send(account('2', 'key-1'), message(leave, 'key-1'), account('bad 3', 'key-1'));
    transport.send(account('other too', 'key-2'));
    const running = await run({ clock });
    await playOut(running, clock);
    transport.send(account('late', 'key-1'), account('even other', 'key-2'));
    await playOut(running, clock);
    expect(seen).toEqual(['1', 'other', 'other too', 'even other']);
    expect(
      transport.deadLetters.map(({ record, cause }) => [record.offset, cause.code, cause.attempts]),
    ).toEqual([
      [1, 'handler-failed', 3],
      [3, 'held-key', 0],
      [5, 'held-key', 0],
      [7, 'held-key', 0],
    ]);
    // Events without a handler are not dead-lettered for their key.
    expect(running.counts).toMatchObject({ skipped: { unhandled: 1 }, deadLettered: 4, handled: 4 });
    expect(transport.deadLetters[1]!.cause.message).toContain('waits behind it (topic "platform.events"');
  });

  it('keeps an invalid record in order behind its lane', async () => {
    const { opened, open } = gate();
    const { transport, run } = setUp((number) => (number === 'slow' ? opened : undefined));
    transport.send(account('slow', 'key-1'), message({ ...accountCreated, payload: {} }, 'key-1'));
    transport.send(message({ ...accountCreated, payload: {} }, 'key-2'), account('2', 'key-2'));
    transport.end();
    const running = await run();
    while (running.counts.handled < 1) await new Promise((resolve) => setImmediate(resolve));
    expect(transport.deadLetters.map(({ record }) => record.offset)).toEqual([2]);
    open();
    await running.finished;
    expect(transport.deadLetters.map(({ record }) => record.offset)).toEqual([2, 1]);
  });
});

describe('a record that becomes a dead letter without an attempt', () => {
  const invalid = (number: unknown, key?: string) =>
    message({ ...accountCreated, payload: { account_number: number, account_user_emails: [] } }, key);
  const deadLettered = (line: string) => line.includes('record dead-lettered');
  const fieldsOf = (line: string) => JSON.parse(line.slice(line.indexOf('{'))) as Record<string, unknown>;

  it('logs event, offset, pointer and rule, but no value', async () => {
    const { transport, run, log } = setUp(() => undefined);
    transport.send(account('1'), invalid(4711));
    transport.end();
    await (await run()).finished;
    const [line, ...more] = log.lines;
    expect(more).toEqual([]);
    expect(line).toMatch(/^warn: record dead-lettered /);
    expect(fieldsOf(line!)).toEqual({
      code: 'invalid-event',
      event: 'account.created-v1',
      topic: 'platform.events',
      partition: 0,
      offset: 1,
      error:
        'Event "account.created-v1" does not match its schema: "/account_number" must be string (type). ' +
        '(topic "platform.events", partition 0, offset 1)',
    });
    expect(line).not.toContain('4711');
  });

  it('logs every reason', async () => {
    const { consumer, transport, run, log } = setUp(badFails, {
      afterDeadLetter: 'hold-key',
      policies: { unknownEvents: 'dead-letter', unhandledEvents: 'dead-letter' },
    });
    consumer.on('billing.billing_document.issued', 'v2', () => undefined);
    consumer.upcast('billing.billing_document.issued', 'v1', 'v2', () => {
      throw new Error('no');
    });
    transport.send(
      { value: 'no JSON', key: '1' },
      message({ type: 'no.such', version: 'v1', payload: {} }, '2'),
    );
    transport.send({ ...accountUpdated, key: '3' }, message(documentIssuedV1, '4'));
    transport.send(account('bad', '5'), account('behind', '5'));
    transport.end();
    await (await run()).finished;
    const codes = log.lines.filter(deadLettered).map((line) => fieldsOf(line)['code']);
    expect(codes.toSorted()).toEqual([
      'held-key',
      'undecodable-record',
      'unhandled-event',
      'unknown-record',
      'upcast-failed',
    ]);
  });

  it('logs each kind once a second, with the number of unlogged records', async () => {
    const clock = virtualClock();
    const { transport, run, log } = setUp(() => undefined, { policies: { unknownEvents: 'dead-letter' } });
    const running = await run({ clock });
    for (let n = 0; n < 25; n++) {
      transport.send(invalid(n), message({ type: `no.such-${n}`, version: 'v1', payload: {} }));
      await running.idle();
      clock.advance(100);
    }
    const lines = (code: string) =>
      log.lines
        .map(fieldsOf)
        .filter((fields) => fields['code'] === code)
        .map(({ offset, unlogged }) => [offset, unlogged]);
    // The first at once, then the last of each second.
    expect(lines('invalid-event')).toEqual([
      [0, undefined],
      [18, 8],
      [38, 9],
    ]);
    expect(lines('unknown-record')).toEqual([
      [1, undefined],
      [19, 8],
      [39, 9],
    ]);
    await running.stop();
    expect(lines('invalid-event').at(-1)).toEqual([48, 4]);
    expect(clock.next).toBeUndefined();
  });

  it('logs the next record of a kind within a second, though the clock was set back', async () => {
    const clock = virtualClock();
    const { transport, run, log } = setUp(() => undefined);
    const running = await run({ clock });
    transport.send(invalid(0));
    await running.idle();
    const { now } = clock;
    vi.spyOn(clock, 'now').mockImplementation(() => now() - 28_800_000);
    transport.send(invalid(1));
    await running.idle();
    clock.advance(1_000);
    expect(log.lines.filter(deadLettered).map((line) => fieldsOf(line)['offset'])).toEqual([0, 1]);
  });

  it('logs no number when every record of the kind has its line', async () => {
    const { transport, run, log } = setUp(() => undefined, {});
    const running = await run({ clock: virtualClock() });
    transport.send(invalid(1), invalid(2));
    await running.idle();
    await running.stop();
    const lines = log.lines.map(fieldsOf).filter(({ code }) => code === 'invalid-event');
    expect(lines.map(({ offset, unlogged }) => [offset, unlogged])).toEqual([
      [0, undefined],
      [1, undefined],
    ]);
  });
});

describe('a record redelivered after its dead letter', () => {
  async function comesAgain(options: RunOptions) {
    const { consumer } = setUp(() => undefined);
    const { value } = account('1');
    const record = { ...recordOf(value, headersOf(accountCreated)), topic: 't', key: Buffer.from('k') };
    const held = { offset: record.offset, first: record.offset, key: record.key };
    const set: number[] = [];
    const subscription = {
      deadLetter: ({ offset }: ConsumerRecord) => Promise.resolve(void set.push(offset)),
      heldLetters: () => Promise.resolve([held]),
      resume: () => void receiver.receive(partition, [record]),
    };
    const partition = { topic: 't', partition: 0 };
    const { running, receiver } = await received(consumer, subscription, options);
    receiver.receive(partition, [record]);
    await running.idle();
    await running.stop();
    return { handled: running.counts.handled, set };
  }

  it('reaches its handler', async () => {
    expect(await comesAgain({ afterDeadLetter: 'continue' })).toEqual({ handled: 1, set: [] });
  });

  it('becomes a dead letter again with hold-key', async () => {
    expect(await comesAgain({ afterDeadLetter: 'hold-key' })).toEqual({ handled: 0, set: [17] });
  });
});

describe('a record that cannot be dead-lettered', () => {
  /** Starts two partitions, of which the first has a bad record, whose dead letter is refused. */
  async function refusedAt(refuse: () => Promise<void>) {
    const commits: string[] = [];
    const { consumer, log } = setUp(badFails);
    const partitions = [0, 1].map((partition) => ({ topic: 't', partition }));
    const record = (offset: number, number: string, key = 'k') => {
      const { value } = account(number);
      return { ...recordOf(value, headersOf(accountCreated)), topic: 't', offset, key: Buffer.from(key) };
    };
    const { running, receiver } = await received(consumer, {
      commit: ({ partition }, offset) => void commits.push(`${partition}: ${offset}`),
      deadLetter: refuse,
    });
    const [first, second] = partitions as [(typeof partitions)[0], (typeof partitions)[0]];
    receiver.receive(first, [record(0, '0'), record(1, 'bad'), record(2, '2', 'other')]);
    return { running, receiver, first, second, record, commits, log };
  }

  it('stops its partition and logs it, while other partitions continue', async () => {
    const refusal = new BusbarError('connection-failed', 'The topic "t.dead-letter" is not there.');
    const { running, receiver, first, second, record, commits, log } = await refusedAt(() =>
      Promise.reject(refusal),
    );
    await running.idle();
    expect(receiver.receive(first, [record(3, '3')])).toBe(0);
    expect(receiver.receive(second, [{ ...record(0, '0'), partition: 1 }])).toBe(1);
    await running.idle();
    expect(commits).toEqual(['0: 1', '1: 1']);
    expect(log.lines.at(-1)).toBe(
      `error: partition stopped ${JSON.stringify({
        topic: 't',
        partition: 0,
        error:
          'The record at topic "t", partition 0, offset 1 could not be dead-lettered: The topic "t.dead-letter" is not there.',
        code: 'dead-letter-failed',
      })}`,
    );
    expect(running.health()).toMatchObject({
      status: 'unhealthy',
      reasons: [expect.stringContaining('Topic "t", partition 0 is stopped: The record at')],
      partitions: [
        { partition: 0, isStopped: true, committed: 1, oldest: { offset: 1 } },
        { partition: 1, isStopped: false, committed: 1 },
      ],
    });
    // A source that ends has not been brought to its end.
    receiver.end();
    await expect(running.finished).rejects.toMatchObject({ code: 'dead-letter-failed', cause: refusal });
  });

  it('omits the message of an unknown error', async () => {
    const { running, log } = await refusedAt(() => Promise.reject(new RangeError('payload A-5EC7E7')));
    await running.idle();
    expect(log.lines.at(-1)).toContain('could not be dead-lettered: it failed with RangeError.');
    await running.stop();
  });

  it('starts no later record of the partition', async () => {
    const handled: string[] = [];
    const { opened, open } = gate();
    let refuse: (error: Error) => void = () => undefined;
    const refused = new Promise<void>((_, reject) => {
      refuse = reject;
    });
    const { consumer } = setUp(async (number) => {
      badFails(number);
      if (number === 'slow') await opened;
      handled.push(number);
    });
    const { running, receiver } = await received(consumer, { deadLetter: () => refused });
    const records = ['bad', 'slow', 'behind', 'other'].map((number, offset) => ({
      ...recordOf(account(number).value, headersOf(accountCreated)),
      key: Buffer.from(number === 'behind' ? 'slow' : number),
      offset,
    }));
    receiver.receive({ topic: 't', partition: 0 }, records);
    while (handled.length === 0) await new Promise((resolve) => setImmediate(resolve));
    refuse(new BusbarError('record-refused', 'Too large.'));
    while (running.health().status === 'ok') await new Promise((resolve) => setImmediate(resolve));
    open();
    await running.idle();
    expect(handled).toEqual(['other', 'slow']);
    await running.stop();
  });

  it('stays unsettled, without an abandoned handler, when the consumer stops', async () => {
    const clock = virtualClock();
    const writing = gate();
    const { consumer, log } = setUp(badFails);
    const deadLetter = () => {
      writing.open();
      return new Promise<void>(() => undefined);
    };
    const { running, receiver } = await received(consumer, { deadLetter }, { clock, drainTimeout: 5000 });
    receiver.receive({ topic: 't', partition: 0 }, [
      recordOf(account('bad').value, headersOf(accountCreated)),
    ]);
    await writing.opened;
    const stopped = running.stop();
    clock.advance(5000);
    await stopped;
    expect(log.lines.at(-1)).toMatch(/^warn: record left unsettled after the drain timeout /);
  });

  it('gets another attempt when the partition is reassigned', async () => {
    let isRefused = true;
    const { running, receiver, first, record, commits } = await refusedAt(() =>
      isRefused ? Promise.reject(new Error('no')) : Promise.resolve(),
    );
    await running.idle();
    await receiver.revoke([first]);
    isRefused = false;
    expect(running.health()).toMatchObject({ status: 'ok' });
    expect(receiver.receive(first, [record(1, 'bad'), record(2, '2', 'other')])).toBe(2);
    await running.idle();
    expect(commits.at(-1)).toBe('0: 3');
    await running.stop();
  });
});

describe('held keys', () => {
  it('log once that they cannot be read, and once that they were', async () => {
    const clock = virtualClock();
    const { consumer, log } = setUp(() => undefined);
    let isAway = true;
    const { running, receiver } = await received(
      consumer,
      {
        deadLetter: () => Promise.resolve(),
        heldLetters: () =>
          isAway
            ? Promise.reject(new BusbarError('connection-failed', 'No broker is there.'))
            : Promise.resolve([]),
      },
      { clock, afterDeadLetter: 'hold-key' },
    );
    const record = recordOf(account('1').value, headersOf(accountCreated));
    for (const partition of [0, 1, 2]) receiver.receive({ topic: 't', partition }, [record]);
    const turn = () => new Promise((resolve) => setImmediate(resolve));
    for (let second = 0; second < 40; second++) {
      await turn();
      clock.advance(1_000);
    }
    isAway = false;
    for (let second = 0; second < 10; second++) {
      await turn();
      clock.advance(1_000);
    }
    await turn();
    expect(log.lines).toEqual([
      'warn: held keys cannot be read {"outageMs":0,"error":"No broker is there."}',
      'warn: held keys still cannot be read {"outageMs":30000,"error":"No broker is there."}',
      expect.stringMatching(/^info: held keys were read \{"outageMs":4\d000\}$/),
    ]);
    await running.stop();
  });
});

const leave = { type: 'lifecycle.leave-supplier.completed', version: 'v3', payload: {} };

describe('dead letters', () => {
  it('fail at the start when a policy needs them but the transport has none', async () => {
    const { run } = setUp(() => undefined, {
      deadLetters: false,
      policies: { unknownEvents: 'dead-letter' },
    });
    await expect(run()).rejects.toMatchObject({
      code: 'no-dead-letters',
      message: expect.stringContaining('Policy "unknownEvents" is "dead-letter"'),
    });
  });

  it('end the run when a function chooses them but the transport has none', async () => {
    const { transport, run } = setUp(() => undefined, {
      deadLetters: false,
      policies: { unknownEvents: () => 'dead-letter' },
    });
    transport.send(message({ type: 'no.such', version: 'v1', payload: {} }));
    await expect((await run()).finished).rejects.toMatchObject({ code: 'unknown-record' });
  });

  it('yield to a warning by default when the transport has none', async () => {
    const { transport, run, log } = setUp(() => undefined, { deadLetters: false });
    transport.send({ value: 'not JSON' }, { value: 'not JSON' });
    transport.end();
    const running = await run();
    await running.finished;
    expect(running.counts.skipped.undecodable).toBe(2);
    expect(log.lines).toHaveLength(2);
  });
});
