import { createConsumer, type RunningConsumer, type RunOptions, silentLogger } from 'busbar';
import { kafka } from 'busbar/kafka';
import { Kafka, logLevel, Partitioners } from 'kafkajs';
import { describe, expect, it, onTestFinished } from 'vitest';
import { run, start } from '../../../command.js';
import { brokerWithEvents } from '../../../emulator/broker/topics-for-tests.js';
import { account, catalogue } from '../../account-consumer.js';

/** A broker with topic `events`, what produces to it, and consumers whose handler fails while told to. */
async function setUp(options: { sasl?: { users: Record<string, string> } } = {}) {
  const broker = await brokerWithEvents({ partitions: 2, logger: silentLogger, ...options });
  const brokers = [broker.bootstrapServers];
  const busbar = (...args: string[]) => run('busbar', [...args, '--brokers', broker.bootstrapServers]);
  return { brokers, busbar };
}

async function producerFor(brokers: string[]) {
  const producer = new Kafka({ brokers, logLevel: logLevel.NOTHING }).producer({
    createPartitioner: Partitioners.DefaultPartitioner,
  });
  await producer.connect();
  onTestFinished(() => producer.disconnect());
  return (...messages: { key: string; value: string; headers: Record<string, string> }[]) =>
    producer.send({ topic: 'events', messages });
}

async function consume(
  brokers: string[],
  groupId: string,
  handle: (number: string) => void,
  options: RunOptions = {},
): Promise<RunningConsumer> {
  const consumer = createConsumer({ catalogue, logger: silentLogger, retry: { attempts: 1 } });
  consumer.on('account.created', 'v1', ({ payload }) => handle(payload.account_number));
  const transport = kafka({
    brokers,
    groupId,
    topics: ['events'],
    fromBeginning: true,
    maxWait: 50,
    commitInterval: 50,
  });
  const running = await consumer.run(transport, options);
  onTestFinished(() => running.stop());
  return running;
}

async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) await new Promise((resolve) => setImmediate(resolve));
}

describe('busbar dead-letters', () => {
  it('lists, shows and replays what a consumer set aside: once, for its group alone, and never a payload', async () => {
    const { brokers, busbar } = await setUp();
    const send = await producerFor(brokers);
    const handled: string[] = [];
    let fails = true;
    const billing = await consume(
      brokers,
      'billing',
      (number) => {
        if (fails && number.startsWith('bad')) throw new TypeError('no');
        handled.push(number);
      },
      { afterDeadLetter: 'hold-key' },
    );
    const mailing = await consume(brokers, 'mailing', () => undefined);
    await send(account('bad-1', 'a'), account('2', 'a'), account('3', 'b'));
    await until(() => billing.counts.deadLettered === 2 && mailing.counts.handled === 3);

    const listed = await busbar('dead-letters', 'list', '--topic', 'events');
    expect(listed).toMatchObject({ code: 0, stderr: '' });
    expect(listed.stdout).toMatch(
      /^ID +SET ASIDE .*\nevents\.dead-letter\/\d\/0 .* handler-failed +account\.created-v1 +events\/\d\/0 +billing .* 1 +no\n.* held-key .* 0 +no\n2 dead letters in events\.dead-letter\n$/,
    );
    const json = JSON.parse((await busbar('dead-letters', 'list', '--topic', 'events', '--json')).stdout) as {
      id: string;
    }[];
    expect(json).toMatchObject([
      { code: 'handler-failed', group: 'billing', attempts: 1, replayed: false, origin: { topic: 'events' } },
      { code: 'held-key', replayed: false },
    ]);

    const { id } = json[0]!;
    const shown = await busbar('dead-letters', 'show', id);
    expect(shown.stdout).toMatch(/^code +handler-failed\n[^]*headers\n {2}event-type +account\.created\n/);
    for (const { stdout } of [listed, shown]) expect(stdout).not.toContain('bad-1');
    const [topic, partition, offset] = id.split('/') as [string, string, string];
    const withPayload = await busbar('dead-letters', 'show', topic, partition, offset, '--payload');
    expect(withPayload.stdout).toContain('"account_number":"bad-1"');

    const dry = await busbar('dead-letters', 'replay', '--topic', 'events', '--dry-run');
    expect(dry.stdout).toMatch(/\nWould replay 2 to events; 0 had been replayed before\.\n$/);
    expect(handled).toEqual(['3']);

    fails = false;
    const replayed = await busbar('dead-letters', 'replay', '--topic', 'events');
    expect(replayed).toEqual({
      code: 0,
      stdout: 'Replayed 2 of 2 to events; 0 had been replayed before.\n',
      stderr: '',
    });
    await until(() => handled.length === 3 && mailing.counts.skipped['other-group'] === 2);
    expect(handled).toEqual(['3', 'bad-1', '2']);
    expect(mailing.counts.handled).toBe(3);
    await send(account('4', 'a'));
    await until(() => handled.length === 4);

    const again = await busbar('dead-letters', 'replay', '--topic', 'events');
    expect(again.stdout).toBe('Replayed 0 of 0 to events; 2 had been replayed before.\n');
    expect((await busbar('dead-letters', 'list', '--topic', 'events')).stdout).toMatch(
      / 1 +yes\n.* 0 +yes\n/,
    );
  });

  it('a key stays held when the consumer is started again, until its replayed records are handled', async () => {
    const { brokers, busbar } = await setUp();
    const send = await producerFor(brokers);
    const handled: string[] = [];
    const first = await consume(
      brokers,
      'billing',
      () => {
        throw new TypeError('no');
      },
      { afterDeadLetter: 'hold-key' },
    );
    await send(account('1', 'a'));
    await until(() => first.counts.deadLettered === 1);
    await first.stop();
    await send(account('2', 'a'), account('3', 'b'));
    const second = await consume(brokers, 'billing', (number) => void handled.push(number), {
      afterDeadLetter: 'hold-key',
    });
    await until(() => second.counts.deadLettered === 1 && second.counts.handled === 1);
    expect(handled).toEqual(['3']);
    await second.stop();
    // Nobody consumes: the marks are there before the records are handled.
    await send(account('4', 'a'));
    await busbar('dead-letters', 'replay', '--topic', 'events');
    const third = await consume(brokers, 'billing', (number) => void handled.push(number), {
      afterDeadLetter: 'hold-key',
    });
    await until(() => third.counts.handled === 2 && third.counts.deadLettered === 1);
    await busbar('dead-letters', 'replay', '--topic', 'events');
    await until(() => third.counts.handled === 3);
    expect(handled).toEqual(['3', '1', '2', '4']);
  });

  it('ends after the record in flight when it is interrupted', async () => {
    const { brokers, busbar } = await setUp();
    const send = await producerFor(brokers);
    const consumer = await consume(brokers, 'billing', () => {
      throw new TypeError('no');
    });
    await send(...Array.from({ length: 2_000 }, (_, n) => account(String(n), 'a')));
    await until(() => consumer.counts.deadLettered === 2_000);
    await consumer.stop();
    const replay = start('busbar', ['dead-letters', 'replay', '--topic', 'events', '--brokers', brokers[0]!]);
    // The first mark says that it is under way.
    const admin = new Kafka({ brokers, logLevel: logLevel.NOTHING }).admin();
    await admin.connect();
    onTestFinished(() => admin.disconnect());
    const marked = async () => {
      const offsets = await admin.fetchTopicOffsets('events.dead-letter.replayed').catch(() => []);
      return Number(offsets[0]?.high ?? 0);
    };
    while ((await marked()) === 0);
    const { code, stdout, stderr } = await replay.stop('SIGINT');
    expect({ code, stderr }).toEqual({
      code: 1,
      stderr: 'busbar: interrupted. Run it again for the others.\n',
    });
    const count = Number(/^Replayed (\d+) of 2000 to events; 0/.exec(stdout)?.[1]);
    expect(count).toBe(await marked());
    const rest = await busbar('dead-letters', 'replay', '--topic', 'events', '--dry-run');
    expect(rest.stdout).toContain(`Would replay ${2_000 - count} to events; ${count} had`);
  });

  it.each<[args: string[], code: number, message: RegExp]>([
    [['list', '--topic', 'other'], 1, /no topic "other\.dead-letter"/],
    [['list', '--topic', 'events', '--since', 'today'], 2, /"--since" takes a time with its zone/],
    [['show', 'events.dead-letter'], 2, /is no dead letter: write TOPIC/],
    [['show', 'events.dead-letter/0/7'], 1, /no dead letter at "events\.dead-letter\/0\/7"/],
    [
      ['list', '--topic', 'events', '--sasl', 'plain'],
      2,
      /set BUSBAR_KAFKA_USERNAME and BUSBAR_KAFKA_PASSWORD/,
    ],
    [['replay', '--topics', 'events'], 2, /Unknown option "--topics"|Missing required argument: topic/],
  ])('%j ends with code %i and says why', async (args, code, message) => {
    const { busbar } = await setUp();
    const finished = await busbar('dead-letters', ...args);
    expect(finished.code).toBe(code);
    expect(finished.stderr).toMatch(message);
    expect(finished.stderr.split('\n')).toHaveLength(2);
  });

  it('authenticates as the environment says', async () => {
    const { busbar } = await setUp({ sasl: { users: { operator: 'a-secret' } } });
    process.env['BUSBAR_KAFKA_USERNAME'] = 'operator';
    process.env['BUSBAR_KAFKA_PASSWORD'] = 'a-secret';
    onTestFinished(() => {
      delete process.env['BUSBAR_KAFKA_USERNAME'];
      delete process.env['BUSBAR_KAFKA_PASSWORD'];
    });
    const listed = await busbar('dead-letters', 'list', '--topic', 'events', '--sasl', 'plain');
    expect(listed).toMatchObject({ code: 0, stdout: '0 dead letters in events.dead-letter\n' });
    process.env['BUSBAR_KAFKA_PASSWORD'] = 'wrong-secret';
    const refused = await busbar('dead-letters', 'list', '--topic', 'events', '--sasl', 'plain');
    expect(refused.code).toBe(1);
    expect(refused.stderr).toMatch(/SASL/i);
    expect(refused.stderr).not.toContain('secret');
  });
});

describe('busbar offsets reset', () => {
  it('prints from where to where, changes nothing in a dry run, and refuses while the group has members', async () => {
    const { brokers, busbar } = await setUp();
    const send = await producerFor(brokers);
    const reset = (...args: string[]) =>
      busbar('offsets', 'reset', '--group', 'billing', '--topic', 'events', ...args);
    const handled: string[] = [];
    const first = await consume(brokers, 'billing', (number) => void handled.push(number));
    await send(account('1', 'a'), account('2', 'a'));
    await until(() => handled.length === 2);
    const refused = await reset('--to', 'earliest');
    expect(refused.code).toBe(1);
    expect(refused.stderr).toMatch(
      /^busbar: Group "billing" has a member: "busbar" \(.*\)\. Stop all of its/,
    );
    await first.stop();

    const dry = await reset('--to', 'earliest', '--dry-run');
    expect(dry).toMatchObject({ code: 0, stderr: '' });
    expect(dry.stdout).toMatch(
      /^PARTITION {2}FROM {2}TO\n0 .*\n1 .*\nWould reset group "billing" on topic "events"\.\n$/,
    );
    expect(dry.stdout).toMatch(/^\d +2 +0$/m);
    const done = await reset('--to', 'earliest');
    expect(done.stdout).toBe(dry.stdout.replace('Would reset', 'Reset'));
    const second = await consume(brokers, 'billing', (number) => void handled.push(number));
    await until(() => handled.length === 4);
    expect(handled).toEqual(['1', '2', '1', '2']);
    await second.stop();

    const full = /^(\d) +2/m.exec(dry.stdout)![1]!;
    expect((await reset('--to', '1', '--partition', full)).stdout).toMatch(/^\d +2 +1$/m);
    expect((await reset('--to', 'latest')).stdout).toMatch(/^\d +1 +2$/m);
    expect((await reset('--to', '2000-01-01T00:00:00Z')).stdout).toMatch(/^\d +2 +0$/m);
    expect((await reset('--to', '2999-01-01T00:00:00+01:00')).stdout).toMatch(/^\d +0 +2$/m);
    expect(await reset('--to', '9', '--partition', full)).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/has offsets from 0 to 2, not 9/) as string,
    });
    expect(await reset('--to', 'earliest', '--partition', '7')).toMatchObject({ code: 2 });
    expect(await reset('--to', '2026-03-01')).toMatchObject({ code: 2 });
  });
});
