import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { systemClock } from '../../../src/base/clock.js';
import { silentLogger } from '../../../src/base/logger.js';
import type { Receiver, Subscription } from '../../../src/transports/transport.js';
import { websocket } from '../../../src/transports/websocket.js';
import { cases } from '../../cases.js';
import { emissions } from './emissions.js';
import { consumer, type RawClient, range, turns } from './raw-client.js';
import { follow } from './follow.js';
import { streamServer } from './stream-server.js';

const steps = fc.array(
  fc.oneof(
    fc.record({ do: fc.constant('write' as const), count: fc.integer({ min: 1, max: 30 }) }),
    fc.record({ do: fc.constant('ack' as const), share: fc.double({ min: 0, max: 1, noNaN: true }) }),
    fc.record({ do: fc.constant('take' as const), count: fc.integer({ min: 0, max: 40 }) }),
    fc.record({ do: fc.constant('let' as const) }),
    fc.record({ do: fc.constant('disconnect' as const) }),
    fc.record({ do: fc.constant('connect' as const) }),
  ),
  { maxLength: 40 },
);

/** Small, so that the run meets it. */
const bounds = {
  history: { records: 20, bytes: 1e6 },
};

describe('any interleaving of writes, acknowledgements, losses and returns', () => {
  it('brings a consumer every record, in order, from the first unacknowledged one on', async () => {
    await fc.assert(
      fc.asyncProperty(steps, async (script) => {
        const server = await streamServer(bounds);
        let writing = Promise.resolve();
        let written = 0;
        let acknowledged = 0;
        let client: RawClient | undefined = await consumer(server.url, 'model');
        /** Checks that each connection got consecutive records from the number that the model expects. */
        const check = (of: RawClient) => {
          const { next } = of.messages[0]!;
          expect(of.numbers).toEqual(range(next, next + of.numbers.length - 1));
          expect(of.numbers.length === 0 || of.numbers.at(-1)! <= acknowledged + bounds.history.records).toBe(
            true,
          );
        };
        const ack = (through: number) => {
          acknowledged = Math.max(acknowledged, through);
          client?.send({ type: 'ack', through });
        };
        const connect = async () => {
          // The server notices a lost connection in its own time.
          await turns(5);
          client = await consumer(server.url, 'model');
          const { next } = client.messages[0]!;
          // An acknowledgement may have been lost with the connection; never one that was not given.
          expect(next).toBeLessThanOrEqual(acknowledged + 1);
          acknowledged = next - 1;
        };
        for (const step of script) {
          switch (step.do) {
            case 'write': {
              const batch = emissions(step.count, written + 1);
              written += step.count;
              writing = writing.then(() => server.sink.write(batch));
              break;
            }
            case 'ack': {
              const seen = client?.numbers.at(-1);
              if (seen !== undefined)
                ack(acknowledged + Math.floor(step.share * Math.max(0, seen - acknowledged)));
              break;
            }
            case 'disconnect':
              if (client !== undefined) {
                client.socket.terminate();
                await client.closed();
                check(client);
                client = undefined;
              }
              break;
            case 'connect':
              if (client === undefined) await connect();
              break;
            case 'let':
            case 'take':
              await turns(3);
          }
          if (client !== undefined) check(client);
        }

        if (client === undefined) await connect();
        const last = client!;
        const ending = follow(writing.then(() => server.sink.end()));
        while (!ending.isDone) {
          expect(ending.error).toBeUndefined();
          if (last.numbers.length > 0) ack(last.numbers.at(-1)!);
          await turns(3);
        }
        await ending.done;
        check(last);
        if (last.numbers.length > 0) expect(last.numbers.at(-1)).toBe(written);
        expect(await last.message('end')).toMatchObject({ last: written });
        await server.stop();
      }),
      { numRuns: cases(15, 60) },
    );
  });

  it('brings a run of the transport every record exactly once, and settles them all', async () => {
    await fc.assert(
      fc.asyncProperty(steps, async (script) => {
        const server = await streamServer(bounds);
        const taken: number[] = [];
        let room = 0;
        let refused = false;
        const stream = { hasEnded: false };
        let settled = 0;
        const failures: Error[] = [];
        const receiver: Receiver = {
          receive(_, records) {
            const part = records.slice(0, room);
            room -= part.length;
            refused = part.length < records.length;
            taken.push(...part.map(({ offset }) => offset));
            return part.length;
          },
          revoke: () => Promise.resolve(),
          end: () => {
            stream.hasEnded = true;
          },
          fail: (error) => failures.push(error),
        };
        const transport = websocket({ url: server.url, reconnect: { minDelay: 1, maxDelay: 2 } });
        const subscription: Subscription = await transport.open(receiver, {
          clock: systemClock,
          logger: silentLogger,
        });
        // The partition is the same object throughout: the server is never started again.
        let partition: Parameters<Receiver['receive']>[0] | undefined;
        const receive = receiver.receive.bind(receiver);
        receiver.receive = (of, records) => {
          partition = of;
          return receive(of, records);
        };
        const take = (count: number) => {
          room += count;
          if (!refused || partition === undefined) return;
          refused = false;
          subscription.resume(partition);
        };
        const settle = (offset: number) => {
          settled = Math.max(settled, offset);
          if (partition !== undefined) subscription.commit(partition, settled + 1);
        };
        let writing = Promise.resolve();
        let written = 0;
        for (const step of script) {
          switch (step.do) {
            case 'write': {
              const batch = emissions(step.count, written + 1);
              written += step.count;
              writing = writing.then(() => server.sink.write(batch));
              break;
            }
            case 'ack':
              settle(settled + Math.floor(step.share * (taken.length - settled)));
              break;
            case 'take':
              take(step.count);
              break;
            case 'let':
              await turns(3);
              break;
            case 'disconnect':
              server.sever();
              break;
            case 'connect':
              await server.sink.waitForConsumer(1);
          }
          expect(taken).toEqual(range(1, taken.length));
        }
        const ending = follow(writing.then(() => server.sink.end()));
        while (!ending.isDone || !stream.hasEnded) {
          expect(ending.error).toBeUndefined();
          expect(failures).toEqual([]);
          take(1_000);
          settle(taken.length);
          await turns(3);
        }
        await ending.done;
        expect(taken).toEqual(range(1, written));
        expect(failures).toEqual([]);
        await subscription.stop();
        await server.stop();
      }),
      { numRuns: cases(15, 60) },
    );
  });
});
