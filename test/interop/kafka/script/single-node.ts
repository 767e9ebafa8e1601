import type { Body, Dialogue } from '../dialogue.js';
import { createTopic } from './prepare.js';

/** APIs with little to report on one node without quotas and transactions. */
export async function singleNode(to: Dialogue): Promise<void> {
  const topic = await createTopic(to, 'single-node', 2);
  const inEach = (name: string, api: string, body: Body) => to.inEveryVersion(name, api, () => body);
  const partitions = (...of: readonly number[]) => [
    { name: topic.name, topic: topic.name, partitions: of },
    { name: to.named('absent'), topic: to.named('absent'), partitions: [0] },
  ];

  await inEach('elect leaders', 'ElectLeaders', {
    electionType: 0,
    topics: partitions(0, 9),
    timeoutMs: 5_000,
  });
  await inEach('reassignments', 'ListPartitionReassignments', { topics: null, timeoutMs: 5_000 });
  await inEach('producers', 'DescribeProducers', { topics: partitions(0, 9) });
  await inEach('quotas', 'DescribeClientQuotas', { components: [], strict: false });
  await inEach('log directories of no topic', 'DescribeLogDirs', { topics: [] });
  await inEach('client metrics', 'ListConfigResources', { resourceTypes: [16] });
  await inEach('groups of an unknown type', 'ListGroups', { statesFilter: [], typesFilter: ['absent'] });

  await inEach('join by the protocol of KIP-848', 'ConsumerGroupHeartbeat', {
    ...{ groupId: to.named('next'), memberId: '', memberEpoch: 0, rebalanceTimeoutMs: 60_000 },
    ...{ subscribedTopicNames: [topic.name], topicPartitions: [] },
  });

  const deleted = [{ name: topic.name, partitions: [{ partition: 0 }] }];
  await inEach('offsets of no group', 'OffsetDelete', { groupId: '', topics: deleted });
  await inEach('offsets of an unknown group', 'OffsetDelete', {
    groupId: to.named('absent'),
    topics: deleted,
  });
}
