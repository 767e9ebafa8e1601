import { createConsumer, silentLogger } from 'busbar';
import { kafka } from 'busbar/kafka';
import { metrics } from 'busbar/operations';
import { describe, expect, it, onTestFinished } from 'vitest';
import { restartPort } from '../../restart-port.js';
import { brokerWithEvents } from '../../emulator/broker/topics-for-tests.js';
import { account, catalogue, gate } from '../account-consumer.js';
import { samplesOf, served } from './served.js';

describe('the operations of a consumer of Kafka', () => {
  it('show the lag of each partition, and readiness from join to stop', async () => {
    const broker = await brokerWithEvents({ partitions: 2 });
    const send = (partition: number, count: number) =>
      broker.append(
        'events',
        Array.from({ length: count }, (_, n) => ({
          partition,
          key: Buffer.from(`key-${n}`),
          value: Buffer.from(account(String(n)).value),
          headers: {},
        })),
      );
    const { open, opened } = gate();
    const consumer = createConsumer({ catalogue, logger: silentLogger, concurrency: 4 });
    consumer.on('account.created', 'v1', () => opened);
    const meter = await metrics();
    send(0, 30);
    send(1, 12);
    const running = await consumer.run(
      kafka({
        brokers: [broker.bootstrapServers],
        groupId: 'operated',
        topics: ['events'],
        fromBeginning: true,
        heartbeatInterval: 100,
        maxWait: 20,
        commitInterval: 20,
      }),
      { observer: meter },
    );
    onTestFinished(() => running.stop());
    const { ask, statusOf } = await served(running, { metrics: meter });
    const lag = async () => {
      const samples = samplesOf((await ask('/metrics')).text);
      return [0, 1].map((n) => samples[`busbar_lag_records{topic="events",partition="${n}"}`]);
    };
    const lagBecomes = (...wanted: number[]) => expect.poll(lag).toEqual(wanted);
    await lagBecomes(30, 12);
    send(1, 8);
    await lagBecomes(30, 20);
    expect(await statusOf('/readyz')).toEqual({ code: 200, status: 'ready', reasons: [] });
    expect(await statusOf('/healthz')).toMatchObject({ code: 200 });
    open();
    await lagBecomes(0, 0);
    const [group] = broker.inspect().groups;
    expect(group!.offsets.map(({ lag: left }) => left)).toEqual([0, 0]);
    await running.stop();
    expect(await statusOf('/readyz')).toMatchObject({ code: 503, status: 'not ready' });
    // It does not report partitions that it has lost.
    expect(await lag()).toEqual([undefined, undefined]);
    expect(await statusOf('/healthz')).toMatchObject({ code: 200 });
  });

  it('report an interrupted source until the broker returns', async () => {
    const port = await restartPort();
    const broker = await brokerWithEvents({ partitions: 1, port });
    const consumer = createConsumer({ catalogue, logger: silentLogger });
    consumer.onAny(() => undefined);
    const running = await consumer.run(
      kafka({
        brokers: [broker.bootstrapServers],
        groupId: 'operated',
        topics: ['events'],
        heartbeatInterval: 100,
        maxWait: 20,
      }),
    );
    onTestFinished(() => running.stop());
    const { statusOf } = await served(running);
    await broker.stop();
    const reasons = [expect.stringMatching(/^The source is interrupted: /)];
    await expect.poll(() => statusOf('/readyz')).toMatchObject({ code: 503, reasons });
    expect(await statusOf('/healthz')).toMatchObject({ code: 200 });
    await brokerWithEvents({ partitions: 1, port });
    await expect.poll(() => statusOf('/readyz')).toMatchObject({ code: 200 });
    await running.stop();
  });
});
