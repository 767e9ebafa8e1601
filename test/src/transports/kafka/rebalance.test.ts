import kafkajs from 'kafkajs';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createConsumer } from '../../../../src/consumer.js';
import type { RunningConsumer } from '../../../../src/running/running-consumer.js';
import { kafka, type KafkaConsumeOptions } from '../../../../src/transports/kafka/index.js';
import type { EventsBroker } from '../../../emulator/broker/topics-for-tests.js';
import { brokerWithEvents } from '../../../emulator/broker/topics-for-tests.js';
import { logLines } from '../../log-lines.js';
import { numberedEvent } from '../../../numbered-event.js';
import { steadyClock } from '../../../steady-clock.js';

describe('kafka(): members that come and go under load', () => {
  it.each([
    ['eager', ['eager']],
    ['cooperative', ['cooperative']],
    ['eager and cooperative', ['eager', 'cooperative']],
  ] as const)('lose no records, handle none twice and keep the order of every key: %s', async (_, modes) => {
    const broker = await brokerWithEvents({ partitions: 6 });
    const load = new Load(broker, 40);
    let members = 0;
    const member = () => load.member({ rebalance: modes[members++ % modes.length]! });
    const first = await member();
    load.send(400);
    await load.handled(100);
    for (let round = 0; round < 3; round++) {
      const second = await member();
      load.send(400);
      const third = await member();
      load.send(400);
      await load.handled(load.sent - 500);
      await second.stop();
      load.send(200);
      await load.handled(load.sent - 300);
      await third.stop();
    }
    await load.handled(load.sent);
    await first.stop();
    expect(load.verdict()).toEqual({ missing: 0, doubled: 0, misordered: 0 });
    expect(load.owners.size).toBe(7);
    const [group] = broker.inspect().groups;
    expect(group!.offsets.every(({ lag }) => lag === 0)).toBe(true);
  });

  it('handle what they keep while a cooperative member drains what moves', async () => {
    const broker = await brokerWithEvents({ partitions: 2 });
    const load = new Load(broker, 2);
    const options = { rebalance: 'cooperative' } as const;
    const first = await load.member(options);
    const { begun, end } = load.holdFirst();
    load.send(1);
    await begun;
    const second = await load.member(options);
    load.send(20);
    // Half of them wait behind the first event, whose partition moves.
    await load.handled(10);
    expect([...load.owners]).toEqual([1]);
    end();
    await load.handled(load.sent);
    expect(load.verdict()).toEqual({ missing: 0, doubled: 0, misordered: 0 });
    expect([...load.owners]).toEqual([1, 2]);
    await Promise.all([first.stop(), second.stop()]);
  });

  it('lose no records next to members of kafkajs', async () => {
    const broker = await brokerWithEvents({ partitions: 6 });
    const load = new Load(broker, 40);
    const theirs = await load.kafkajsMember();
    load.send(200);
    await load.handled(50);
    const ours = await load.member();
    load.send(200);
    await load.handled(load.sent - 100);
    const others = await load.kafkajsMember();
    load.send(200);
    await load.handled(load.sent - 100);
    await theirs.disconnect();
    load.send(200);
    await load.handled(load.sent - 100);
    await ours.stop();
    load.send(200);
    await load.handled(load.sent - 100);
    const last = await load.member();
    await others.disconnect();
    load.send(200);
    await load.handled(load.sent);
    await last.stop();
    // kafkajs does not drain: it may handle a record again that another member has taken over.
    expect(load.verdict().missing).toBe(0);
    expect(load.owners.size).toBe(4);
    const [group] = broker.inspect().groups;
    expect(group!.offsets.every(({ lag }) => lag === 0)).toBe(true);
  });
});

/** Numbered events over keys, handled slowly by members of one group, with a record of who handled what. */
class Load {
  readonly owners = new Set<number>();
  readonly #broker: EventsBroker;
  readonly #keys: number;
  readonly #seen: { key: string; number: number }[] = [];
  readonly #numbers = new Set<number>();
  #waiting: { count: number; resolve: () => void }[] = [];
  #members = 0;
  #whileHeld: () => Promise<void> = () => Promise.resolve();
  sent = 0;

  constructor(broker: EventsBroker, keys: number) {
    this.#broker = broker;
    this.#keys = keys;
  }

  send(count: number): void {
    const records = Array.from({ length: count }, () => {
      const number = this.sent++;
      const key = `key-${number % this.#keys}`;
      return { key, partition: (number % this.#keys) % 6, value: JSON.stringify(numberedEvent(number)) };
    });
    this.#broker.append(
      'events',
      records.map(({ key, partition, value }) => ({
        partition,
        key: Buffer.from(key),
        value: Buffer.from(value),
        headers: {},
      })),
    );
  }

  async member(options: Partial<KafkaConsumeOptions> = {}): Promise<RunningConsumer> {
    const me = ++this.#members;
    const consumer = createConsumer({ policies: { invalidEvents: 'fail' } });
    consumer.onAny(({ id, record }) => this.#handle(me, Number(id), Buffer.from(record.key!).toString()));
    const transport = kafka({
      brokers: [this.#broker.bootstrapServers],
      groupId: 'members',
      topics: ['events'],
      fromBeginning: true,
      heartbeatInterval: 100,
      maxWait: 50,
      connectionTimeout: 600_000,
      ...options,
    });
    const running = await consumer.run(transport, { clock: steadyClock, logger: logLines() });
    onTestFinished(() => running.stop());
    return running;
  }

  /** A member of an older release, which joins and fetches by kafkajs alone. */
  async kafkajsMember(): Promise<kafkajs.Consumer> {
    const me = ++this.#members;
    const brokers = [this.#broker.bootstrapServers];
    const consumer = new kafkajs.Kafka({ brokers, logLevel: kafkajs.logLevel.NOTHING }).consumer({
      groupId: 'members',
      heartbeatInterval: 100,
      maxWaitTimeInMs: 50,
    });
    onTestFinished(() => consumer.disconnect());
    await consumer.connect();
    await consumer.subscribe({ topic: 'events', fromBeginning: true });
    await consumer.run({
      eachMessage: ({ message }) => {
        const { id } = JSON.parse(String(message.value)) as { id: string };
        return this.#handle(me, Number(id), String(message.key));
      },
    });
    return consumer;
  }

  async #handle(member: number, number: number, key: string): Promise<void> {
    if (number === 0) await this.#whileHeld();
    // Between 1 and 20 ms, so that work is under way whenever the group changes.
    await new Promise((resolve) => setTimeout(resolve, 1 + (number % 12)));
    this.owners.add(member);
    this.#numbers.add(number);
    this.#seen.push({ key, number });
    this.#waiting = this.#waiting.filter(({ count, resolve }) => {
      if (this.#numbers.size < count) return true;
      resolve();
      return false;
    });
  }

  /** Lets the handler of the first event wait until `end` is called. */
  holdFirst() {
    let end = () => {};
    const ended = new Promise<void>((resolve) => (end = resolve));
    const begun = new Promise<void>((resolve) => {
      this.#whileHeld = () => {
        resolve();
        return ended;
      };
    });
    return { begun, end: () => end() };
  }

  handled(count: number): Promise<void> {
    if (this.#numbers.size >= count) return Promise.resolve();
    return new Promise((resolve) => this.#waiting.push({ count, resolve }));
  }

  verdict() {
    const last = new Map<string, number>();
    let misordered = 0;
    for (const { key, number } of this.#seen) {
      if (number < (last.get(key) ?? -1)) misordered++;
      last.set(key, number);
    }
    const { size } = this.#numbers;
    return { missing: this.sent - size, doubled: this.#seen.length - size, misordered };
  }
}
