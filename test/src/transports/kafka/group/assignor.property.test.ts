import fc from 'fast-check';
import kafkajs from 'kafkajs';
import { describe, expect, it } from 'vitest';
import { encodeForMembers, subscription } from '../../../../../src/kafka-protocol/consumer-protocol.js';
import {
  assign,
  partitionsIn,
  protocolsOf,
  type Subscriber,
} from '../../../../../src/transports/kafka/group/assignor.js';
import { keyOf } from '../../../../../src/transports/kafka/group/positions.js';
import type { Partition } from '../../../../../src/transports/transport.js';
import { cases } from '../../../../cases.js';
import { groupOptions } from './scripted-cluster.js';

/** Partitions by the id of the member that holds them. */
type Holdings = ReadonlyMap<string, readonly Partition[]>;

const topics = ['bills', 'events'];
const partitionCounts = fc.tuple(fc.nat(12), fc.nat(12));

describe('an assignment of partitions', () => {
  it('gives each partition to one member, and as many to each, in the end', () => {
    forEveryChange((before, partitions) => {
      const holdings = assigned(assigned(before, partitions), partitions);
      expect([...holdings.values()].flat().map(keyOf).sort()).toEqual(partitions.map(keyOf).sort());
      const sizes = [...holdings.values()].map(({ length }) => length);
      expect(Math.max(...sizes) - Math.min(...sizes)).toBeLessThan(2);
      return holdings;
    });
  });

  it('never gives a partition to a member while another holds it', () => {
    forEveryChange((before, partitions) => {
      const holdings = assigned(before, partitions);
      for (const [member, held] of before) {
        const others = [...holdings].filter(([other]) => other !== member).flatMap(([, each]) => each);
        expect(others.filter((each) => held.some((mine) => keyOf(mine) === keyOf(each)))).toEqual([]);
      }
      return holdings;
    });
  });

  it('moves no more partitions than it must when a member joins', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 6 }), partitionCounts, (members, counts) => {
        const partitions = partitionsOf(counts);
        let holdings: Holdings = new Map();
        for (let id = 0; id < members; id++) holdings = new Map([...holdings, [`member-${id}`, []]]);
        holdings = assigned(holdings, partitions);
        const next = assigned(new Map([...holdings, ['newcomer', []]]), partitions);
        const kept = [...next.values()].flat().length;
        expect(partitions.length - kept).toBe(Math.floor(partitions.length / (members + 1)));
      }),
      { numRuns: cases(30, 1_000) },
    );
  });

  it('matches that of kafkajs for members that hold nothing', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 6 }), partitionCounts, (count, counts) => {
        const [eager] = protocolsOf({ ...groupOptions, topics }, [], -1);
        const members = Array.from({ length: count }, (_, id) => ({ memberId: `member-${id}`, ...eager! }));
        const partitions = partitionsOf(counts);
        const turns = members.map((_, turn) => partitions.filter((__, nth) => nth % count === turn));
        expect(
          assign(members, partitions).map(({ assignment }) => partitionsIn(assignment).map(keyOf)),
        ).toEqual(
          turns.map((each) =>
            topics.flatMap((name) => each.filter(({ topic }) => topic === name)).map(keyOf),
          ),
        );
      }),
      { numRuns: cases(50, 500) },
    );
  });

  it('leaves a partition to the member that held it last', () => {
    const held = [{ topic: 'events', partition: 0 }];
    const members = [subscriber('a', held, 4), subscriber('b', held, 5), subscriber('c', [], 5)];
    expect(assignedBy(members, held)).toEqual([[], ['0/events'], []]);
  });

  it('gives a partition to no member that does not subscribe to its topic', () => {
    const partitions = partitionsOf([2, 2]);
    const member = subscriber('a', partitions, 1, ['bills']);
    expect(assignedBy([member], partitions)).toEqual([['0/bills', '1/bills']]);
  });
});

describe('a message between members', () => {
  it('consists of the bytes of kafkajs', () => {
    const { MemberAssignment, MemberMetadata } = kafkajs.AssignerProtocol;
    const userData = Buffer.alloc(0);
    const { metadata } = protocolsOf({ ...groupOptions, topics }, [], -1)[0]!;
    expect(metadata).toEqual(MemberMetadata.encode({ version: 0, topics, userData }));
    const { assignment } = assign([{ memberId: 'me', metadata }], partitionsOf([2, 1]))[0]!;
    const expected = { version: 0, assignment: { bills: [0, 1], events: [0] }, userData };
    expect(assignment).toEqual(MemberAssignment.encode(expected));
  });

  it('leaves out the fields of a later version', () => {
    const message = { topics, userData: null, generationId: 7, ownedPartitions: [] };
    const metadata = Buffer.concat([encodeForMembers(subscription, 3, message), Buffer.from('\0\x04rack')]);
    expect(assignedBy([{ memberId: 'java', metadata }], partitionsOf([0, 1]))).toEqual([['0/events']]);
  });
});

function partitionsOf(counts: readonly number[]): Partition[] {
  return topics.flatMap((topic, nth) =>
    Array.from({ length: counts[nth]! }, (_, partition) => ({ topic, partition })),
  );
}

/** Calls `rebalanced` after each of many changes of a group. It returns what the members hold then. */
function forEveryChange(rebalanced: (before: Holdings, partitions: readonly Partition[]) => Holdings): void {
  const changesOf = fc.array(fc.nat(5), { minLength: 1, maxLength: 12 });
  fc.assert(
    fc.property(partitionCounts, changesOf, (counts, changes) => {
      let holdings: Holdings = new Map();
      for (const change of changes) holdings = rebalanced(changed(holdings, change), partitionsOf(counts));
    }),
    { numRuns: cases(30, 1_000) },
  );
}

/** A member joins, or one of those with the number leaves. */
function changed(holdings: Holdings, change: number): Holdings {
  const id = `member-${change}`;
  if (holdings.size > 1 && holdings.has(id))
    return new Map([...holdings].filter(([member]) => member !== id));
  return new Map([...holdings, [id, holdings.get(id) ?? []]]);
}

/** Returns the holdings after one rebalance of the group. */
function assigned(holdings: Holdings, partitions: readonly Partition[]): Holdings {
  const members = [...holdings].map(([memberId, held]) => subscriber(memberId, held, 1));
  return new Map(
    assign(members, partitions).map(({ memberId, assignment }) => [memberId, partitionsIn(assignment)]),
  );
}

function assignedBy(members: readonly Subscriber[], partitions: readonly Partition[]): string[][] {
  return assign(members, partitions).map(({ assignment }) => partitionsIn(assignment).map(keyOf));
}

function subscriber(
  memberId: string,
  held: readonly Partition[],
  generation: number,
  subscribed: readonly string[] = topics,
): Subscriber {
  const options = { ...groupOptions, topics: subscribed, rebalance: 'cooperative' } as const;
  const [protocol] = protocolsOf(options, held, generation);
  return { memberId, metadata: protocol!.metadata };
}
