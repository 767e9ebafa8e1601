import kafkajs from 'kafkajs';
import { expect, it, vi } from 'vitest';
import { systemClock } from '../../../../src/clock.js';
import {
  type GroupMember,
  type GroupOptions,
  kafkajsClient,
  type ReadyKafkajs,
} from '../../../../src/transports/kafka/index.js';
import { logLines } from '../../log-lines.js';

it('kafkajs does not join once its consumer is being stopped, however late it asks (kafkajs#1593)', async () => {
  const { kafka, cluster, broker } = scriptedKafkajs();
  const connection = await kafkajsClient(kafka).connect({ clock: systemClock, logger: logLines() });
  const membership = await connection.join(options, idleMember);
  await membership.leave();
  // As a start does that was under way when the consumer was stopped.
  const coordinator = await cluster.findGroupCoordinator();
  await expect(coordinator.joinGroup({ memberId: '' })).rejects.toMatchObject({
    message: 'The consumer is closing.',
    retriable: false,
  });
  expect(broker.joinGroup).toHaveBeenCalledTimes(1);
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

/** What of kafkajs a membership meets: `run` joins once, and the cluster can be asked for its coordinator again. */
function scriptedKafkajs() {
  const done = () => Promise.resolve();
  const memberAssignment = kafkajs.AssignerProtocol.MemberAssignment.encode({
    version: 0,
    assignment: {},
    userData: Buffer.alloc(0),
  });
  const broker = {
    joinGroup: vi.fn((request: { memberId: string }) =>
      Promise.resolve({ ...request, memberId: 'one', generationId: 1 }),
    ),
    syncGroup: () => Promise.resolve({ memberAssignment }),
    leaveGroup: done,
    heartbeat: done,
    offsetFetch: done,
    offsetCommit: done,
  };
  const cluster = {
    findGroupCoordinator: () => Promise.resolve(broker),
    findControllerBroker: () => Promise.resolve(broker),
    findBroker: () => Promise.resolve(broker),
    fetchTopicsOffset: done,
    refreshMetadata: done,
  };
  const listeners = new Map<string, (event: object) => void>();
  const consumer = {
    events: { GROUP_JOIN: 'join', CRASH: 'crash', FETCH: 'fetch', START_BATCH_PROCESS: 'batch' },
    on: (name: string, listener: (event: object) => void) => listeners.set(name, listener),
    subscribe: done,
    resume: () => undefined,
    disconnect: done,
    async run() {
      const coordinator = await cluster.findGroupCoordinator();
      await coordinator.joinGroup({ memberId: '' });
      await coordinator.syncGroup();
      listeners.get('join')?.({});
    },
  };
  const kafka: ReadyKafkajs = {
    admin: () => ({ connect: done, disconnect: done }),
    producer: () => ({}),
    consumer({ partitionAssigners: [assigner] }: { partitionAssigners: ((config: object) => object)[] }) {
      assigner?.({ cluster, groupId: 'readers' });
      return consumer;
    },
  };
  return { kafka, cluster, broker };
}
