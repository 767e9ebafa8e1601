import { describe, expect, it } from 'vitest';
import { errorCodes } from '../../../../../src/kafka-protocol/error-codes.js';
import { ZERO_UUID } from '../../../../../src/kafka-protocol/fields.js';
import { cut, joining, ScriptedCluster } from './scripted-cluster.js';

const { none } = errorCodes;

describe('a member that looks for its positions', () => {
  it.each([
    [true, -2],
    [false, -1],
  ])('lists and commits those without an offset, fromBeginning %s', async (fromBeginning, timestamp) => {
    const cluster = new ScriptedCluster();
    cluster.leaders = { events: [0, 2, 0] };
    cluster.committed = [-1, -1, 0];
    cluster.metadata = 'busbar partitions=3';
    const { joined, member } = joining(cluster, { fromBeginning });
    const membership = await joined;
    const listed = cluster.requests('ListOffsets').map(({ node, request }) => [node, request]);
    expect(listed).toEqual(
      [0, 1].map((partition) => [
        2 * partition,
        {
          replicaId: -1,
          isolationLevel: 1,
          topics: [{ name: 'events', partitions: [{ partition, timestamp }] }],
        },
      ]),
    );
    expect(cluster.requests('OffsetFetch')[0]).toMatchObject({
      node: 1,
      request: {
        groupId: 'readers',
        topics: [{ name: 'events', partitions: [0, 1, 2] }],
        groups: [],
        requireStable: true,
      },
    });
    expect(cluster.requests('OffsetCommit').map(({ request }) => request)).toEqual([
      {
        groupId: 'readers',
        groupInstanceId: null,
        memberId: 'me',
        generationId: 1,
        topics: [
          {
            name: 'events',
            partitions: [0, 1].map((partition) => ({
              partition,
              committedOffset: 100 + partition,
              committedLeaderEpoch: -1,
              committedMetadata: 'busbar partitions=3',
            })),
          },
        ],
      },
    ]);
    expect(member.assignments[0]!.map(({ partition, position }) => [partition, position])).toEqual([
      [2, 0],
      [0, 100],
      [1, 101],
    ]);
    await membership.leave();
  });

  it.each([
    ['at its first record, if the topic got it after the group began', 'busbar partitions=1', -2],
    ['at its end, if the group is as young', 'busbar partitions=2', -1],
    ['at its end, if another client committed', '', -1],
  ])('begins a partition without an offset %s', async (_, metadata, timestamp) => {
    const cluster = new ScriptedCluster();
    cluster.committed = [5, -1];
    cluster.metadata = metadata;
    const membership = await joining(cluster, { fromBeginning: false }).joined;
    const [listed] = cluster.requests('ListOffsets');
    expect(listed!.request.topics).toMatchObject([{ partitions: [{ partition: 1, timestamp }] }]);
    expect(cluster.logger.lines).toHaveLength(timestamp === -1 ? 1 : 0);
    await membership.leave();
  });

  it.each([
    [[0, 0], []],
    [
      [100, 0],
      [
        'info: group without offsets skips earlier records {"group":"readers","partitions":1,"option":"fromBeginning"}',
      ],
    ],
  ])(
    'logs how many partitions a group without offsets skips of those that end at %j',
    async (ends, lines) => {
      const cluster = new ScriptedCluster();
      cluster.committed = [-1, -1];
      const partitions = ends.map((offset, partition) => ({ partition, errorCode: none, offset }));
      cluster.next('ListOffsets', { topics: [{ name: 'events', partitions }] });
      const membership = await joining(cluster, { fromBeginning: false }).joined;
      expect(cluster.logger.lines).toEqual(lines);
      await membership.leave();
    },
  );

  it('keeps the number of partitions that the topic had at the first commit', async () => {
    const cluster = new ScriptedCluster();
    cluster.metadata = 'busbar partitions=1';
    const membership = await joining(cluster).joined;
    await membership.commit([{ topic: 'events', partition: 0, offset: 9 }]);
    const [committed] = cluster.requests('OffsetCommit');
    const partitions = [{ committedOffset: 9, committedMetadata: 'busbar partitions=1' }];
    expect(committed!.request.topics).toMatchObject([{ partitions }]);
    await membership.leave();
  });

  it.each([
    ['busbar partitions=12', 12],
    ['busbar partitions=12 or so', 2],
    ['not busbar partitions=12', 2],
    ['', 2],
  ])(
    'reads the number of partitions from the metadata "%s", else from the topic',
    async (metadata, count) => {
      const cluster = new ScriptedCluster();
      cluster.metadata = metadata;
      const membership = await joining(cluster).joined;
      await membership.commit([{ topic: 'events', partition: 0, offset: 9 }]);
      expect(committedCounts(cluster)).toEqual([['events', 0, count]]);
      await membership.leave();
    },
  );

  it('counts a partition that the topic does not list yet', async () => {
    const cluster = new ScriptedCluster();
    cluster.metadata = '';
    cluster.leader = 'other';
    cluster.leaders = {};
    const membership = await joining(cluster).joined;
    await membership.commit([{ topic: 'events', partition: 1, offset: 9 }]);
    expect(committedCounts(cluster)).toEqual([['events', 1, 2]]);
    await membership.leave();
  });

  it('keeps the numbers of partitions of several topics apart', async () => {
    const cluster = new ScriptedCluster();
    cluster.metadata = '';
    cluster.leaders = { bills: [1], events: [1, 1] };
    const membership = await joining(cluster, { topics: ['bills', 'events'] }).joined;
    await membership.commit(['bills', 'events'].map((topic) => ({ topic, partition: 0, offset: 9 })));
    expect(committedCounts(cluster)).toEqual([
      ['bills', 0, 1],
      ['events', 0, 2],
    ]);
    await membership.leave();
  });

  it('begins a partition without an offset as the group reads its own topic', async () => {
    const cluster = new ScriptedCluster();
    cluster.leaders = { bills: [1, 1], events: [1, 1] };
    cluster.always('OffsetFetch', ({ topics }) => ({
      errorCode: none,
      topics: topics.map(({ name, partitions }) => ({
        name,
        partitions: partitions.map((partition) => ({
          ...{ partition, errorCode: none },
          ...(name === 'events' && partition === 0
            ? { committedOffset: 5, metadata: 'busbar partitions=1' }
            : { committedOffset: -1, metadata: '' }),
        })),
      })),
    }));
    const options = { topics: ['bills', 'events'], fromBeginning: false };
    const membership = await joining(cluster, options).joined;
    const listed = cluster.requests('ListOffsets').map(({ request }) => request.topics);
    expect(listed).toMatchObject([
      [{ name: 'events', partitions: [{ partition: 1, timestamp: -2 }] }],
      [
        {
          name: 'bills',
          partitions: [
            { partition: 0, timestamp: -1 },
            { partition: 1, timestamp: -1 },
          ],
        },
      ],
    ]);
    await membership.leave();
  });

  it('sends no other request when all are committed', async () => {
    const cluster = new ScriptedCluster();
    cluster.leader = 'other';
    const membership = await joining(cluster).joined;
    await cluster.turns();
    expect(cluster.requests('ListOffsets')).toEqual([]);
    expect(cluster.requests('OffsetCommit')).toEqual([]);
    // Looks for the leaders to fetch from.
    expect(cluster.requests('Metadata')).toHaveLength(1);
    await membership.leave();
  });

  it.each([
    ['no leader', 'Metadata', true, -2, { topics: [eventsLedBy(1, -1)] }],
    ['no leader', 'Metadata', false, -1, { topics: [eventsLedBy(1, -1)] }],
    ['no place in its topic yet', 'Metadata', true, -2, { topics: [eventsLedBy(1)] }],
    ['another leader', 'ListOffsets', true, -2, listed(errorCodes.notLeaderOrFollower)],
    ['a leader that does not respond', 'ListOffsets', true, -2, cut],
  ])('begins a partition later that has %s (%s, fromBeginning %s)', async (...of) => {
    const [, api, fromBeginning, timestamp, response] = of;
    const cluster = new ScriptedCluster();
    cluster.leaders = { events: [1, 2] };
    cluster.committed = [3, -1];
    cluster.leader = 'other';
    cluster.always(api, response);
    const { joined, member } = joining(cluster, { fromBeginning });
    await cluster.turns();
    const membership = await joined;
    expect(member.assignments).toMatchObject([[{ partition: 0, position: 3 }]]);
    expect(cluster.requests('Fetch').length).toBeGreaterThan(0);
    for (const delay of [200, 400, 800, 1_600]) await cluster.pass(delay);
    const message = 'Topic "events", partition 1 was deleted or has no leader.';
    expect(member.interruptions[0]).toMatchObject({ message });
    expect(member.begun).toEqual([]);
    expect(cluster.requests('OffsetCommit')).toEqual([]);
    cluster.always(api);
    await cluster.pass(2_000);
    expect(member.begun).toEqual([{ topic: 'events', partition: 1, position: 101 }]);
    const topics = [{ name: 'events', partitions: [{ partition: 1, timestamp }] }];
    expect(cluster.requests('ListOffsets').at(-1)).toMatchObject({ node: 2, request: { topics } });
    const fetching = cluster.requests('Fetch').find(({ node }) => node === 2);
    expect(fetching).toMatchObject({ request: { topics: [{ partitions: [{ fetchOffset: 101 }] }] } });
    expect(cluster.requests('JoinGroup')).toHaveLength(1);
    await membership.leave();
  });

  it('ends when the user may not list offsets', async () => {
    const cluster = new ScriptedCluster();
    cluster.committed = [-1, -1];
    cluster.next('ListOffsets', listed(errorCodes.topicAuthorizationFailed));
    await expect(joining(cluster).joined).rejects.toMatchObject({ code: 'not-authorized' });
  });

  it.each([
    [
      'a refused commit',
      'UNKNOWN_SERVER_ERROR',
      'OffsetCommit',
      { errorCode: errorCodes.unknownServerError },
    ],
    [
      'a refused partition',
      'UNKNOWN_SERVER_ERROR',
      'OffsetFetch',
      { errorCode: errorCodes.unknownServerError, committedOffset: 1 },
    ],
  ])('looks again after %s, and reports %s', async (_, message, api, partition) => {
    const cluster = new ScriptedCluster();
    cluster.committed = [-1, -1];
    cluster.leader = 'other';
    const partitions = [0, 1].map((each) => ({ partition: each, ...partition }));
    const topics = [{ errorCode: none, name: 'events', partitions }];
    cluster.always(api, { errorCode: none, topics });
    const { joined, member } = joining(cluster);
    for (const delay of [100, 200, 400, 800, 1_600]) await cluster.pass(delay);
    expect(member.assignments).toEqual([]);
    expect(member.interruptions[0]).toMatchObject({ message: expect.stringContaining(message) as string });
    cluster.always(api);
    await cluster.pass(2_000);
    const membership = await joined;
    expect(member.assignments[0]!.map(({ position }) => position)).toEqual([100, 101]);
    await membership.leave();
  });

  it('lists them at the leader of each topic', async () => {
    const cluster = new ScriptedCluster();
    cluster.leaders = { events: [1], other: [2] };
    cluster.committed = [-1];
    const membership = await joining(cluster, { topics: ['events', 'other'] }).joined;
    const listed = cluster
      .requests('ListOffsets')
      .map(({ node, request }) => [node, request.topics[0]!.name]);
    expect(listed).toEqual([
      [1, 'events'],
      [2, 'other'],
    ]);
    await membership.leave();
  });

  it('asks in versions in which a request names one group', async () => {
    const cluster = new ScriptedCluster();
    cluster.committed = [-1, -1];
    const membership = await joining(cluster).joined;
    const versions = ['FindCoordinator', 'OffsetFetch', 'ListOffsets'].map(
      (api) => cluster.requests(api)[0]!.versions,
    );
    expect(versions).toEqual(['v0-3', 'v1-7', 'v1-8']);
    await membership.leave();
  });
});

/** The topic in a response to a request for metadata: the leaders of its partitions. */
function eventsLedBy(...leaders: readonly number[]) {
  const partitions = leaders.map((leaderId, partition) => ({ partition, leaderId }));
  return { errorCode: none, name: 'events', topicId: ZERO_UUID, partitions };
}

/** The response to a request for the offsets of partition 1. */
function listed(errorCode: number): object {
  return { topics: [{ name: 'events', partitions: [{ partition: 1, errorCode, offset: -1 }] }] };
}

/** The number of partitions that each commit keeps. */
function committedCounts(cluster: ScriptedCluster) {
  return cluster.requests('OffsetCommit').flatMap(({ request }) =>
    request.topics.flatMap(({ name, partitions }) =>
      partitions.map((each) => {
        const { partition, committedMetadata } = each as { partition: number; committedMetadata: string };
        return [name, partition, Number(committedMetadata.replace('busbar partitions=', ''))];
      }),
    ),
  );
}
