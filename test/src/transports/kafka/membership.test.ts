import { describe, expect, it } from 'vitest';
import { type Clock, systemClock, virtualClock } from '../../../../src/base/clock.js';
import type { Logger } from '../../../../src/base/logger.js';
import type { GroupMember, GroupMembership, GroupOptions } from '../../../../src/transports/kafka/client.js';
import { kafkajsClient } from '../../../../src/transports/kafka/index.js';
import { brokerWithEvents } from '../../../emulator/broker/topics-for-tests.js';
import { logLines } from '../../log-lines.js';
import { numbered } from './opened.js';
import { type ScriptedKafkajs, scriptedKafkajs } from './scripted-kafkajs.js';

describe('kafka(): a stopping member', () => {
  it('does not join again, however late kafkajs tries (kafkajs#1593)', async () => {
    const { scripted, membership } = await joined();
    await membership.leave();
    // As a start does that was under way when the consumer was stopped.
    const coordinator = await scripted.find();
    await expect(coordinator.joinGroup({ memberId: '' })).rejects.toMatchObject({
      message: 'The consumer is closing.',
      retriable: false,
    });
    expect(scripted.broker.joinGroup).toHaveBeenCalledTimes(1);
  });

  it('stays stopped when kafkajs crashes', async () => {
    const { scripted, membership } = await joined();
    const { restartOnFailure } = scripted.settings.retry;
    expect(await restartOnFailure()).toBe(true);
    const left = membership.leave();
    expect(await restartOnFailure()).toBe(false);
    await left;
  });

  it('disconnects after a pending join', async () => {
    const { scripted, membership } = await joined();
    const coordinator = await scripted.find();
    await coordinator.joinGroup({ memberId: '' });
    const left = membership.leave();
    await turns();
    expect(scripted.disconnect).not.toHaveBeenCalled();
    scripted.tell('join');
    await left;
    expect(scripted.disconnect).toHaveBeenCalledTimes(1);
  });

  it('disconnects after its start, also after a rejected one', async () => {
    let end: () => void = () => undefined;
    const scripted = scriptedKafkajs(({ tell }) => {
      // Not by way of the coordinator.
      tell('join');
      return new Promise((resolve) => {
        end = resolve;
      });
    });
    const refused = expect(join(scripted)).rejects.toThrow('kafkajs did not join by way of its coordinator');
    await turns();
    expect(scripted.disconnect).not.toHaveBeenCalled();
    end();
    await refused;
    expect(scripted.disconnect).toHaveBeenCalledTimes(1);
  });
});

describe('kafka(): a member of a group', () => {
  it('leaves under its old member id before it joins again', async () => {
    const { scripted } = await joined();
    const { broker } = scripted;
    await (await scripted.find()).joinGroup({ memberId: '' });
    expect(broker.leaveGroup.mock.calls).toEqual([[{ groupId: 'readers', memberId: 'member-1' }]]);
    const [leftAt] = broker.leaveGroup.mock.invocationCallOrder;
    expect(leftAt).toBeLessThan(broker.joinGroup.mock.invocationCallOrder[1]!);
  });

  it('commits nothing after an eviction', async () => {
    const offsets = [{ topic: 'events', partition: 0, offset: 7 }];
    const { scripted, membership } = await joined({
      release: () => expect(membership.commit(offsets)).rejects.toMatchObject({ type: 'UNKNOWN_MEMBER_ID' }),
    });
    await membership.commit(offsets);
    const { broker } = scripted;
    broker.heartbeat.mockRejectedValue(Object.assign(new Error('thrown out'), { type: 'UNKNOWN_MEMBER_ID' }));
    await (await scripted.find()).joinGroup({ memberId: '' });
    expect(broker.offsetCommit).toHaveBeenCalledTimes(1);
    expect(broker.leaveGroup).not.toHaveBeenCalled();
  });

  it.each(['joinGroup', 'leaveGroup'] as const)('lets handlers end before %s', async (request) => {
    let end: () => void = () => undefined;
    let isReleasing = false;
    const { scripted } = await joined({
      release: () => {
        isReleasing = true;
        return new Promise((resolve) => {
          end = resolve;
        });
      },
    });
    const coordinator = await scripted.find();
    // The first assignment had nothing before it to wait for.
    isReleasing = false;
    const before = scripted.broker[request].mock.calls.length;
    const asked = coordinator[request]({ memberId: 'member-1' });
    await turns();
    expect(isReleasing).toBe(true);
    expect(scripted.broker[request]).toHaveBeenCalledTimes(before);
    end();
    await asked;
    expect(scripted.broker[request]).toHaveBeenCalledTimes(before + 1);
  });

  it('abandons handlers that do not end in time, and logs it', async () => {
    const clock = virtualClock();
    const logger = logLines();
    const granted: number[] = [];
    const { scripted } = await joined(
      {
        release: ({ within }) => {
          granted.push(within);
          return new Promise(() => undefined);
        },
      },
      { clock, logger },
    );
    const asked = (await scripted.find()).joinGroup({ memberId: 'member-1' });
    await turns();
    clock.advance(granted.at(-1)!);
    await turns();
    expect(scripted.broker.joinGroup).toHaveBeenCalledTimes(1);
    // Of the minute that the group waits, so much is left for a heartbeat, a fetch and the requests themselves.
    expect(granted.at(-1)).toBe(60_000 - 3_000 - 200 - 1_000);
    clock.advance(500);
    await asked;
    expect(scripted.broker.joinGroup).toHaveBeenCalledTimes(2);
    expect(logger.lines).toEqual([expect.stringMatching(/^warn: Work did not end before the group/)]);
  });

  it('receives refused batches again', async () => {
    const broker = await brokerWithEvents({ partitions: 1 });
    broker.append('events', numbered(3));
    const { Kafka, logLevel } = await import('kafkajs');
    const kafka = new Kafka({ brokers: [broker.bootstrapServers], logLevel: logLevel.NOTHING });
    const connection = await kafkajsClient(kafka).connect({ clock: systemClock, logger: logLines() });
    const offered: number[] = [];
    let tell: () => void = () => undefined;
    const twice = new Promise<void>((resolve) => {
      tell = resolve;
    });
    const membership = await connection.join(options, {
      ...idleMember,
      batch: ({ from }) => {
        if (offered.push(from) === 2) tell();
        return offered.length > 1;
      },
    });
    await twice;
    await membership.leave();
    await connection.close();
    expect(offered).toEqual([0, 0]);
  });
});

const options: GroupOptions = {
  groupId: 'readers',
  topics: ['events'],
  fromBeginning: true,
  sessionTimeout: 30_000,
  rebalanceTimeout: 60_000,
  heartbeatInterval: 3_000,
  maxWait: 200,
  maxBytesPerPartition: 1_000,
};

const idleMember: GroupMember = {
  assigned: () => undefined,
  batch: () => true,
  skip: () => undefined,
  release: () => Promise.resolve(),
  fetched: () => undefined,
  interrupted: () => undefined,
  failed: () => undefined,
};

interface Around {
  readonly clock?: Clock;
  readonly logger?: Logger;
}

async function join(
  { kafka }: ScriptedKafkajs,
  member: Partial<GroupMember> = {},
  { clock = systemClock, logger = logLines() }: Around = {},
): Promise<GroupMembership> {
  const connection = await kafkajsClient(kafka).connect({ clock, logger });
  return connection.join(options, { ...idleMember, ...member });
}

/** A member that has joined once. `release` is asked from then on. */
async function joined({ release = idleMember.release }: Partial<GroupMember> = {}, around?: Around) {
  const scripted = scriptedKafkajs();
  let isIn = false;
  const asked: GroupMember['release'] = (how) => (isIn ? release(how) : Promise.resolve());
  const membership = await join(scripted, { release: asked }, around);
  isIn = true;
  return { scripted, membership };
}

/** Lets everything run except timers. */
async function turns(): Promise<void> {
  for (let n = 0; n < 5; n++) await new Promise((resolve) => setImmediate(resolve));
}
