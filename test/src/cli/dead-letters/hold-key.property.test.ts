import { createConsumer, type RunningConsumer, silentLogger } from 'busbar';
import { type VirtualClock, virtualClock } from 'busbar/base';
import { kafka } from 'busbar/kafka';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { runReplay, planReplay } from '../../../../src/cli/dead-letters/run-replay.js';
import { resolveSelection } from '../../../../src/cli/dead-letters/select.js';
import { cases } from '../../../cases.js';
import { account, catalogue } from '../../account-consumer.js';
import { MemoryKafka, turn } from '../../transports/kafka/memory-kafka.js';

const sending = fc.record({ key: fc.nat(1), failures: fc.constantFrom(0, 0, 0, 1, 2, 3) });

const step = fc.oneof(
  { weight: 6, arbitrary: fc.record({ type: fc.constant('send' as const), sent: sending }) },
  {
    weight: 3,
    arbitrary: fc.record({ type: fc.constant('replay' as const), killedAfter: fc.option(fc.nat(12)) }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      type: fc.constant('restart' as const),
      killed: fc.boolean(),
      /** While no consumer runs. */
      meanwhile: fc.array(sending, { maxLength: 3 }),
      replays: fc.boolean(),
    }),
  },
  { weight: 2, arbitrary: fc.record({ type: fc.constant('wait' as const), turns: fc.nat(30) }) },
  { weight: 2, arbitrary: fc.record({ type: fc.constant('commit' as const) }) },
);

describe('"hold-key", for random failures, replays, restarts and kills', () => {
  it.each([
    ['by key', false],
    ['by lane', true],
  ])('handles each %s in order and loses nothing', async (_, lanes) => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(step, { maxLength: 60 }),
        fc.integer({ min: 1, max: 3 }),
        async (steps, partitions) => {
          const world = new World(partitions, lanes);
          await world.start();
          for (const each of steps) {
            switch (each.type) {
              case 'send':
                world.send(each.sent);
                break;
              case 'replay':
                await world.replay(each.killedAfter);
                break;
              case 'restart':
                world.kafka.losesCommits = each.killed;
                await world.running.stop();
                for (const sent of each.meanwhile) world.send(sent);
                if (each.replays) await world.replay(null);
                await world.start();
                break;
              case 'wait':
                for (let n = 0; n < each.turns; n++) await turn();
                break;
              case 'commit':
                world.clock.advance(1_000);
            }
          }
          // From here on nothing is killed: all ends in a few rounds.
          for (let rounds = 0; world.handled.size < world.sent.length; rounds++) {
            expect(rounds).toBeLessThan(100);
            await world.settled();
            await world.replay(null);
            if (rounds % 3 !== 2) continue;
            await world.running.stop();
            await world.start();
          }
          await world.running.stop();
          expect(world.violations).toEqual([]);
        },
      ),
      { numRuns: cases(50, 300) },
    );
  });
});

/** A consumer, its topic, and what was handled. */
class World {
  readonly sent: { readonly key: string; failures: number }[] = [];
  readonly handled = new Set<number>();
  readonly violations: string[] = [];
  readonly kafka: MemoryKafka;
  clock!: VirtualClock;
  running!: RunningConsumer;
  readonly #latest = new Map<string, number>();
  readonly #lanes: boolean;
  readonly #partitions: number;

  constructor(partitions: number, lanes: boolean) {
    this.#lanes = lanes;
    this.#partitions = partitions;
    this.kafka = new MemoryKafka().addTopic('events', partitions).addTopic('events.dead-letter', 2);
  }

  async start(): Promise<void> {
    const consumer = createConsumer({
      catalogue,
      logger: silentLogger,
      retry: { attempts: 1 },
      afterDeadLetter: 'hold-key',
      ...(this.#lanes && { laneBy: ({ payload }) => laneOf(payload as { account_number: string }) }),
    });
    consumer.on('account.created', 'v1', async ({ payload }) => {
      const n = Number(payload.account_number.split('/')[0]);
      await turn();
      const { key, failures } = this.sent[n]!;
      if (failures > 0) {
        this.sent[n]!.failures--;
        throw new Error('no');
      }
      const latest = this.#latest.get(key) ?? -1;
      if (!this.handled.has(n) && n < latest) this.violations.push(`${n} after ${latest} of ${key}`);
      this.handled.add(n);
      this.#latest.set(key, Math.max(latest, n));
    });
    this.clock = virtualClock();
    this.kafka.losesCommits = false;
    const transport = kafka({
      client: this.kafka,
      groupId: 'billing',
      topics: ['events'],
      fromBeginning: true,
    });
    this.running = await consumer.run(transport, { clock: this.clock });
  }

  send({ key, failures }: { key: number; failures: number }): void {
    const n = this.sent.push({ key: String(key), failures }) - 1;
    // By lane, the keys of one lane differ, and their dead letters lie in different partitions.
    const { value } = account(`${n}/${key}`);
    const bytes = Buffer.from(this.#lanes ? String(n) : String(key));
    this.kafka.append({
      topic: 'events',
      partition: key % this.#partitions,
      key: bytes,
      value: Buffer.from(value),
      headers: [],
    });
  }

  async replay(killedAfter: number | null): Promise<void> {
    let left = killedAfter ?? Number.POSITIVE_INFINITY;
    const connection = await this.kafka.connect();
    const killable = {
      ...connection,
      produce: async (record: Parameters<typeof connection.produce>[0]) => {
        if (left-- <= 0) throw new Error('killed');
        const place = await connection.produce(record);
        if (left-- <= 0) throw new Error('killed');
        return place;
      },
    };
    const selection = resolveSelection({ topic: 'events' });
    try {
      const plan = await planReplay(killable, selection);
      const signal = new AbortController().signal;
      await runReplay(killable, plan, { selection, to: undefined, signal });
    } catch (error) {
      if ((error as Error).message !== 'killed') throw error;
    }
  }

  async settled(): Promise<void> {
    for (;;) {
      await turn();
      await this.running.idle();
      const taken = new Map(
        this.running.health().partitions.map(({ partition, taken }) => [partition, taken]),
      );
      if (this.kafka.isTaken('events', taken)) break;
    }
    await this.running.idle();
  }
}

function laneOf({ account_number }: { account_number: string }): string | undefined {
  return account_number.split('/')[1];
}
