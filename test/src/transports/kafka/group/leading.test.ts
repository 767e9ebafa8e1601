import { describe, expect, it } from 'vitest';
import { errorCodes } from '../../../../../src/kafka-protocol/error-codes.js';
import { NO_BYTES } from '../../../../../src/kafka-protocol/fields.js';
import { partitionsIn } from '../../../../../src/transports/kafka/group/assignor.js';
import { cut, joining, ScriptedCluster, within } from './scripted-cluster.js';

const { none } = errorCodes;

describe('the leader of a group', () => {
  it.each([[errorCodes.unknownTopicOrPartition], [errorCodes.leaderNotAvailable]])(
    'assigns nothing of a topic that is not there yet: error %i',
    async (errorCode) => {
      const cluster = new ScriptedCluster();
      cluster.next('Metadata', { topics: [{ errorCode, name: 'events', partitions: [] }] });
      cluster.next('SyncGroup', () => ({ errorCode: none, assignment: NO_BYTES }));
      const membership = await joining(cluster).joined;
      expect(partitionsIn(cluster.requests('SyncGroup')[0]!.request.assignments[0]!.assignment)).toEqual([]);
      await membership.leave();
    },
  );

  it('does not join when it may not look for partitions', async () => {
    const cluster = new ScriptedCluster();
    const errorCode = errorCodes.topicAuthorizationFailed;
    cluster.next('Metadata', { topics: [{ errorCode, name: 'events', partitions: [] }] });
    await expect(joining(cluster).joined).rejects.toMatchObject({ code: 'not-authorized' });
  });

  it('assigns partitions in their order, however they are listed', async () => {
    const cluster = new ScriptedCluster();
    const partitions = [2, 0, 1].map((partition) => ({ partition, leaderId: 1 }));
    cluster.next('Metadata', { topics: [{ errorCode: none, name: 'events', partitions }] });
    cluster.next('SyncGroup', () => ({ errorCode: none, assignment: NO_BYTES }));
    const membership = await joining(cluster).joined;
    expect(cluster.requests('Metadata')[0]!.request).toEqual({
      topics: [{ name: 'events', topicId: expect.anything() as string }],
      allowAutoTopicCreation: false,
      includeClusterAuthorizedOperations: false,
      includeTopicAuthorizedOperations: false,
    });
    const [assigned] = cluster.requests('SyncGroup')[0]!.request.assignments;
    expect(partitionsIn(assigned!.assignment).map(({ partition }) => partition)).toEqual([0, 1, 2]);
    await membership.leave();
  });

  it('joins again when it finds another number of partitions, in five minutes', async () => {
    const cluster = new ScriptedCluster();
    const { joined, member } = joining(cluster);
    const membership = await joined;
    const asked = () => cluster.requests('Metadata').length;
    const first = asked();
    await cluster.pass(299_999);
    expect(asked()).toBe(first);
    await cluster.pass(1);
    expect(asked()).toBe(first + 1);
    cluster.next('Metadata', cut);
    await cluster.pass(300_000);
    expect(asked()).toBe(first + 2);
    expect(member.assignments).toHaveLength(1);
    cluster.leaders = { events: [1, 1, 1] };
    cluster.committed = [1, 2, 3];
    await cluster.pass(300_000);
    expect(member.releases).toEqual([{ evicted: false, within }]);
    expect(member.assignments[1]).toHaveLength(3);
    await membership.leave();
  });
});
