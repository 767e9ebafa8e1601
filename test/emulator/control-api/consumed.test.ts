import { createConsumer, silentLogger } from 'busbar';
import { virtualClock } from 'busbar-emulator/testing';
import { type Emulator, type EmulatorOptions, startEmulator } from 'busbar-emulator';
import { kafka } from 'busbar/kafka';
import { type Consumer, type EachMessageHandler, Kafka, logLevel } from 'kafkajs';
import { describe, expect, it, onTestFinished } from 'vitest';

const topic = 'platform.events';
const groupId = 'bills';

/** A house move, sent at once to a broker of its own; its time stands still, so that a timeout is when the test says. */
async function emulating(options: EmulatorOptions = {}) {
  const clock = virtualClock();
  const emulator = await startEmulator({
    scenario: 'house-move',
    speed: 'instant',
    kafka: { port: 0 },
    http: false,
    logger: silentLogger,
    clock,
    ...options,
  });
  onTestFinished(() => emulator.stop());
  return { emulator, clock };
}

/** A member of the group that has nothing of ours. */
async function joined(emulator: Emulator, eachMessage: EachMessageHandler): Promise<Consumer> {
  const client = new Kafka({
    brokers: [emulator.bootstrapServers!],
    clientId: 'theirs',
    logLevel: logLevel.NOTHING,
  });
  const consumer = client.consumer({ groupId, maxWaitTimeInMs: 50 });
  onTestFinished(() => consumer.disconnect());
  await consumer.connect();
  await consumer.subscribe({ topic, fromBeginning: true });
  await consumer.run({ eachMessage });
  return consumer;
}

/** Returns the error after the timeout. */
async function reason(emulator: Emulator, clock: { advance(duration: number): void }): Promise<string> {
  const waiting = emulator.consumed({ groupId });
  await emulator.idle();
  clock.advance(4000);
  return waiting.then(
    () => 'consumed',
    (error: unknown) => String(error),
  );
}

describe('consumed', () => {
  it('resolves when a Busbar consumer has committed all events', async () => {
    const { emulator } = await emulating();
    const ids = new Set<string | undefined>();
    const consumer = createConsumer({ logger: silentLogger });
    consumer.onAny(({ id }) => void ids.add(id));
    const running = await consumer.run(
      kafka({ brokers: [emulator.bootstrapServers!], groupId, topics: [topic], fromBeginning: true }),
    );
    onTestFinished(() => running.stop());

    await emulator.consumed({ groupId });
    expect(ids.size).toBe(emulator.run.summary.events);
    expect(ids.size).toBeGreaterThan(20);
  });

  it('resolves for any Kafka client, and waits for later events', async () => {
    const { emulator } = await emulating();
    let messages = 0;
    await joined(emulator, async () => {
      messages++;
    });
    await emulator.consumed({ groupId });
    const before = messages;
    expect(before).toBe(emulator.run.summary.events);

    await emulator.trigger('billing.final_bill-v1');
    await emulator.consumed({ groupId });
    expect(messages).toBe(before + 1);
  });

  it('reports an empty group', async () => {
    const { emulator, clock } = await emulating();
    const said = await reason(emulator, clock);
    expect(said).toMatch(
      /^BusbarError: Consumer group "bills" has not committed everything after 4000 ms\. /,
    );
    expect(said).toMatch(
      /It has no members\. Start .* Partition \d of "platform.events": nothing of \d+ is committed\./,
    );
  });

  it('reports the member of a partition, its last fetch and its missing commit', async () => {
    const { emulator, clock } = await emulating();
    let release: () => void = () => undefined;
    const released = new Promise<void>((resolve) => (release = resolve));
    const partition = await new Promise<number>((resolve) => {
      void joined(emulator, async ({ partition: given }) => {
        resolve(given);
        await released;
      });
    });
    const said = await reason(emulator, clock);
    expect(said).toMatch(
      new RegExp(
        `Partition ${partition} of "platform.events": nothing of \\d+ is committed; ` +
          'member "theirs" has it and fetched \\d+ ms ago, but has committed nothing',
      ),
    );
    release();
    await emulator.consumed({ groupId });
    expect(said).not.toContain('?.');
  });

  it('reports the offsets of a group without members, and its last departure', async () => {
    const { emulator, clock } = await emulating();
    const consumer = await joined(emulator, async () => undefined);
    await emulator.consumed({ groupId });
    await consumer.disconnect();
    await emulator.trigger('billing.final_bill-v1');

    const said = await reason(emulator, clock);
    expect(said).toMatch(/It has no members\. The last one to leave was "theirs" \(left\)\./);
    expect(said).toMatch(/Partition \d of "platform.events": \d+ of \d+ is committed\.$/);
  });

  it('reports a run that has not sent all events', async () => {
    const paused = await emulating({ run: { paused: true } });
    const waiting = paused.emulator.consumed({ groupId });
    paused.clock.advance(4000);
    await expect(waiting).rejects.toThrow('The run is paused. Resume or step it.');

    const held = await emulating({ run: { waitForConsumer: groupId } });
    const other = held.emulator.consumed({ groupId, timeout: 10 });
    held.clock.advance(10);
    await expect(other).rejects.toThrow('after 10 ms. The run waits for the consumer');
  });

  it('ends with the emulator', async () => {
    const { emulator } = await emulating();
    const waiting = emulator.consumed({ groupId });
    await Promise.all([expect(waiting).rejects.toMatchObject({ code: 'run-over' }), emulator.stop()]);
    await expect(emulator.consumed({ groupId })).rejects.toMatchObject({ code: 'run-over' });
  });

  it('refuses an unknown topic, an invalid timeout, and an emulator without a broker', async () => {
    const { emulator } = await emulating();
    const codeOf = async (wanted: Parameters<Emulator['consumed']>[0], of = emulator) =>
      of.consumed(wanted).catch((error: unknown) => (error as { code: string }).code);
    expect(await codeOf({ groupId, topics: ['others'] })).toBe('unknown-topic');
    expect(await codeOf({ groupId, timeout: Number.NaN })).toBe('invalid-option');
    const without = await emulating({ kafka: false });
    expect(await codeOf({ groupId }, without.emulator)).toBe('invalid-option');
  });

  it('works next to the port for clients of other languages', async () => {
    const { emulator } = await emulating();
    expect(emulator.bootstrapServers).toBe(`127.0.0.1:${emulator.kafkaPort}`);
  });
});
