import { describe, expect, it, onTestFinished } from 'vitest';
import { buildBatch } from '../../../../src/kafka-protocol/build-batch.js';
import { errorCodes } from '../../../../src/kafka-protocol/error-codes.js';
import { NO_BYTES, ZERO_UUID } from '../../../../src/kafka-protocol/fields.js';
import { batchLayout } from '../../../../src/kafka-protocol/record-batch.js';
import { partitionsIn } from '../../../../src/transports/kafka/group/assignor.js';
import { groupOptions, joining, ScriptedCluster } from './scripted-cluster.js';

const { none, rebalanceInProgress, unknownMemberId, illegalGeneration, fencedInstanceId } = errorCodes;
const refused = (errorCode: number) => ({ errorCode });
const cut = () => Promise.reject(new Error('Connection closed'));
/** Time in milliseconds that handlers get to end: the rebalance timeout without a heartbeat and a second. */
const within = 56_000;

describe('a member that joins', () => {
  it('sends its subscription, and the assignment of the group that it leads', async () => {
    const cluster = new ScriptedCluster();
    const { member, joined } = joining(cluster);
    const membership = await joined;
    expect(cluster.requests('FindCoordinator')).toMatchObject([
      { node: undefined, request: { key: 'readers', coordinatorKeys: [] } },
    ]);
    expect(cluster.requests('JoinGroup')).toMatchObject([
      {
        api: 'JoinGroup',
        node: 1,
        request: {
          groupId: 'readers',
          groupInstanceId: null,
          memberId: '',
          sessionTimeoutMs: 30_000,
          rebalanceTimeoutMs: 60_000,
          protocolType: 'consumer',
          protocols: [{ name: 'RoundRobinAssigner', metadata: expect.any(Buffer) as Buffer }],
          reason: null,
        },
        timeout: 65_000,
      },
    ]);
    const { assignments, ...rest } = cluster.requests('SyncGroup')[0]!.request;
    expect(rest).toEqual({
      groupId: 'readers',
      groupInstanceId: null,
      memberId: 'me',
      generationId: 1,
      protocolType: 'consumer',
      protocolName: 'RoundRobinAssigner',
    });
    expect(assignments.map(({ memberId, assignment }) => [memberId, partitionsIn(assignment)])).toEqual([
      ['me', [0, 1].map((partition) => ({ topic: 'events', partition }))],
    ]);
    expect(member.assignments).toEqual([
      [
        { topic: 'events', partition: 0, position: 5 },
        { topic: 'events', partition: 1, position: 7 },
      ],
    ]);
    await membership.leave();
  });

  it('looks for partitions and assigns them only as the leader', async () => {
    const cluster = new ScriptedCluster();
    cluster.leader = 'other';
    cluster.next('SyncGroup', () => ({ errorCode: none, assignment: NO_BYTES }));
    const { member, joined } = joining(cluster);
    const membership = await joined;
    expect(cluster.requests('SyncGroup')[0]!.request.assignments).toEqual([]);
    await cluster.pass(3_000_000);
    expect(cluster.requests('Metadata')).toEqual([]);
    expect(cluster.requests('OffsetFetch')).toEqual([]);
    expect(member).toMatchObject({ assignments: [[]], failures: [] });
    await membership.leave();
  });

  it('uses the member id that the coordinator gives it, at once', async () => {
    const cluster = new ScriptedCluster();
    cluster.next('JoinGroup', { errorCode: errorCodes.memberIdRequired, memberId: 'given' });
    const { joined } = joining(cluster);
    const membership = await joined;
    expect(cluster.requests('JoinGroup').map(({ request }) => request.memberId)).toEqual(['', 'given']);
    expect(cluster.clock.now()).toBe(0);
    await membership.leave();
  });

  it('joins again at once when the group rebalances before it is assigned', async () => {
    const cluster = new ScriptedCluster();
    cluster.next('SyncGroup', refused(rebalanceInProgress));
    const { joined, member } = joining(cluster);
    const membership = await joined;
    expect(cluster.requests('JoinGroup').map(({ request }) => request.memberId)).toEqual(['', 'me']);
    expect(member.assignments).toHaveLength(1);
    await membership.leave();
  });

  it('joins as a new member when the group does not know it', async () => {
    const cluster = new ScriptedCluster();
    cluster.next('SyncGroup', ...[unknownMemberId, illegalGeneration].map(refused));
    const { joined, member } = joining(cluster);
    for (const delay of [100, 200]) await cluster.pass(delay);
    const membership = await joined;
    expect(cluster.requests('JoinGroup').map(({ request }) => request.memberId)).toEqual(['', '', '']);
    expect(member.interruptions).toEqual([]);
    await membership.leave();
  });

  it('tries again after 100 ms, and doubles the delay up to two seconds', async () => {
    const cluster = new ScriptedCluster();
    cluster.always('JoinGroup', cut);
    const { joined, member } = joining(cluster);
    const attempts: number[] = [];
    for (let attempt = 0; attempt < 8; attempt++) {
      await cluster.turns();
      attempts.push(cluster.clock.now());
      expect(cluster.requests('JoinGroup')).toHaveLength(attempt + 1);
      // The outage has a timer, too.
      while (cluster.requests('JoinGroup').length === attempt + 1) {
        cluster.clock.advanceToNext();
        await cluster.turns();
      }
    }
    expect(attempts).toEqual([0, 100, 300, 700, 1_500, 3_100, 5_100, 7_100]);
    expect(member.interruptions[0]).toMatchObject({ message: 'Connection closed' });
    cluster.always('JoinGroup');
    await cluster.pass(2_000);
    const membership = await joined;
    expect(member.restorations).toBe(1);
    await membership.leave();
  });

  it.each([
    ['did not answer', cut, 2],
    ['was not found', () => Promise.resolve({ errorCode: errorCodes.coordinatorLoadInProgress }), 1],
  ])('looks for the coordinator again when it %s', async (_, response, count) => {
    const cluster = new ScriptedCluster();
    cluster.next(count === 2 ? 'JoinGroup' : 'FindCoordinator', response);
    const { joined } = joining(cluster);
    await cluster.pass(100);
    const membership = await joined;
    expect(cluster.requests('FindCoordinator')).toHaveLength(2);
    expect(cluster.requests('JoinGroup')).toHaveLength(count);
    await membership.leave();
  });

  it.each([
    ['Connection closed', cut],
    ['COORDINATOR_LOAD_IN_PROGRESS', { errorCode: errorCodes.coordinatorLoadInProgress }],
  ])('reports that it finds no coordinator: %s', async (message, response) => {
    const cluster = new ScriptedCluster();
    cluster.always('FindCoordinator', response);
    const { joined, member } = joining(cluster);
    for (const delay of [100, 200, 400, 800, 1_600]) await cluster.pass(delay);
    expect(member.interruptions[0]).toMatchObject({ message });
    cluster.always('FindCoordinator');
    await cluster.pass(2_000);
    expect(member.restorations).toBe(1);
    await (await joined).leave();
  });

  it.each([
    ['NOT_COORDINATOR', errorCodes.notCoordinator],
    ['COORDINATOR_NOT_AVAILABLE', errorCodes.coordinatorNotAvailable],
  ])('asks the next coordinator at once after %s, and once only', async (_, code) => {
    const cluster = new ScriptedCluster();
    cluster.next('FindCoordinator', { errorCode: none, nodeId: 3 }, { errorCode: none, nodeId: 4 });
    cluster.next('JoinGroup', { ...refused(code), memberId: '' }, { ...refused(code), memberId: '' });
    const { joined } = joining(cluster);
    await cluster.turns();
    expect(cluster.requests('JoinGroup').map(({ node }) => node)).toEqual([3, 4]);
    await cluster.pass(100);
    const membership = await joined;
    expect(cluster.requests('JoinGroup').map(({ node }) => node)).toEqual([3, 4, 1]);
    await membership.leave();
  });

  it('asks the same coordinator again after another refusal', async () => {
    const cluster = new ScriptedCluster();
    cluster.next('JoinGroup', { ...refused(errorCodes.coordinatorLoadInProgress), memberId: '' });
    const { joined } = joining(cluster);
    await cluster.pass(100);
    const membership = await joined;
    expect(cluster.requests('FindCoordinator')).toHaveLength(1);
    await membership.leave();
  });

  it('rejects when retries do not help, and leaves the group', async () => {
    const cluster = new ScriptedCluster();
    cluster.next('OffsetFetch', { ...refused(errorCodes.groupAuthorizationFailed), topics: [] });
    const { joined, member } = joining(cluster, { topics: ['events', 'other'] });
    await expect(joined).rejects.toMatchObject({
      code: 'not-authorized',
      message: expect.stringContaining(
        'Kafka at kafka:9092 did not let group "readers" consume "events", "other" (GROUP_AUTHORIZATION_FAILED)',
      ) as string,
    });
    expect(cluster.requests('LeaveGroup')).toMatchObject([
      {
        node: 1,
        request: {
          groupId: 'readers',
          memberId: 'me',
          members: [{ memberId: 'me', groupInstanceId: null, reason: null }],
        },
      },
    ]);
    expect(member).toMatchObject({ assignments: [], releases: [], failures: [] });
    expect(cluster.clock.next).toBeUndefined();
  });

  it('leaves the group when its signal aborts before it is assigned', async () => {
    const cluster = new ScriptedCluster();
    const respond = cluster.hold('SyncGroup', () => refused(rebalanceInProgress));
    const aborting = new AbortController();
    const { joined, member } = joining(cluster, {}, aborting.signal);
    await cluster.turns();
    aborting.abort(new Error('enough'));
    respond();
    await expect(joined).rejects.toThrow('enough');
    expect(cluster.requests('LeaveGroup')).toHaveLength(1);
    expect(member.assignments).toEqual([]);
  });

  it('sends nothing to a group in which it never was', async () => {
    const cluster = new ScriptedCluster();
    cluster.next('JoinGroup', { ...refused(errorCodes.groupAuthorizationFailed), memberId: '' });
    await expect(joining(cluster).joined).rejects.toMatchObject({ code: 'not-authorized' });
    expect(cluster.requests('LeaveGroup')).toEqual([]);
  });
});

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

describe('a member of a group', () => {
  it('sends heartbeats at their interval', async () => {
    const cluster = new ScriptedCluster();
    const membership = await joining(cluster).joined;
    await cluster.pass(2_999);
    expect(cluster.requests('Heartbeat')).toEqual([]);
    await cluster.pass(1);
    expect(cluster.requests('Heartbeat')).toMatchObject([
      { node: 1, request: { groupId: 'readers', groupInstanceId: null, memberId: 'me', generationId: 1 } },
    ]);
    await cluster.pass(3_000);
    expect(cluster.requests('Heartbeat')).toHaveLength(2);
    await membership.leave();
    await cluster.pass(9_000);
    expect(cluster.requests('Heartbeat')).toHaveLength(2);
  });

  it.each([
    [3_000, 2_000],
    [500, 500],
  ])(
    'repeats a failed heartbeat of %i ms after %i ms, and reports what lasts',
    async (heartbeatInterval, delay) => {
      const cluster = new ScriptedCluster();
      const { joined, member } = joining(cluster, { heartbeatInterval });
      const membership = await joined;
      cluster.always('Heartbeat', cut);
      await cluster.pass(heartbeatInterval);
      await cluster.pass(delay - 1);
      expect(cluster.requests('Heartbeat')).toHaveLength(1);
      await cluster.pass(1);
      expect(cluster.requests('Heartbeat')).toHaveLength(2);
      for (let passed = delay; passed < 3_000; passed += 500) await cluster.pass(500);
      expect(member.interruptions.length).toBeGreaterThan(0);
      expect(member.since[0]).toBe(heartbeatInterval);
      cluster.always('Heartbeat');
      await cluster.pass(delay);
      expect(member.restorations).toBe(1);
      const count = cluster.requests('Heartbeat').length;
      await cluster.pass(heartbeatInterval - 1);
      expect(cluster.requests('Heartbeat')).toHaveLength(count);
      await cluster.pass(1);
      expect(cluster.requests('Heartbeat')).toHaveLength(count + 1);
      expect(member.assignments).toHaveLength(1);
      await membership.leave();
    },
  );

  it('releases its partitions and joins again when the group rebalances', async () => {
    const cluster = new ScriptedCluster();
    const { joined, member } = joining(cluster);
    const membership = await joined;
    const offsets = [{ topic: 'events', partition: 0, offset: 9 }];
    let end: () => void = () => undefined;
    member.onRelease = () => new Promise((resolve) => void (end = resolve));
    cluster.always('Heartbeat', refused(rebalanceInProgress));
    await cluster.pass(3_000);
    expect(member.releases).toEqual([{ evicted: false, within }]);
    // Until handlers have ended, it stays a member, and commits as it was.
    await cluster.pass(3_000);
    await cluster.pass(3_000);
    expect(cluster.requests('Heartbeat')).toHaveLength(3);
    await membership.commit(offsets);
    expect(cluster.requests('OffsetCommit').at(-1)!.request).toMatchObject({
      memberId: 'me',
      generationId: 1,
    });
    expect(cluster.requests('JoinGroup')).toHaveLength(1);
    cluster.always('Heartbeat');
    member.onRelease = () => Promise.resolve();
    end();
    await cluster.turns();
    await cluster.turns();
    expect(cluster.requests('JoinGroup').map(({ request }) => request.memberId)).toEqual(['', 'me']);
    expect(member.assignments).toHaveLength(2);
    await membership.commit(offsets);
    expect(cluster.requests('OffsetCommit').at(-1)!.request).toMatchObject({ generationId: 2 });
    expect(cluster.logger.lines).toEqual([]);
    await membership.leave();
  });

  it('says which offsets the group accepts, next to one that it refuses', async () => {
    const cluster = new ScriptedCluster();
    const membership = await joining(cluster).joined;
    const codes = [none, errorCodes.unknownTopicOrPartition];
    const partitions = codes.map((errorCode, partition) => ({ partition, errorCode }));
    cluster.next('OffsetCommit', { topics: [{ name: 'events', partitions }] });
    const offsets = codes.map((_, partition) => ({ topic: 'events', partition, offset: 9 }));
    const accepted: object[] = [];
    await expect(membership.commit(offsets, (each) => void accepted.push(each))).rejects.toThrow();
    expect(accepted).toEqual([{ topic: 'events', partition: 0 }]);
    await membership.leave();
  });

  it('ends without its partitions when another process has its name in the group', async () => {
    const cluster = new ScriptedCluster();
    const { joined, member } = joining(cluster, { groupInstanceId: 'pod-0' });
    await joined;
    cluster.next('Heartbeat', refused(fencedInstanceId));
    await cluster.pass(3_000);
    await cluster.turns();
    expect(member.releases).toEqual([{ evicted: true, within }]);
    expect(member.failures).toMatchObject([{ code: 'group-mismatch' }]);
    expect(cluster.requests('LeaveGroup')).toEqual([]);
  });

  it('names a static member in each request, and stays in the group when it stops', async () => {
    const cluster = new ScriptedCluster();
    const { joined } = joining(cluster, { groupInstanceId: 'pod-0' });
    const membership = await joined;
    await membership.commit([{ topic: 'events', partition: 0, offset: 9 }]);
    await cluster.pass(3_000);
    await membership.leave();
    for (const api of ['JoinGroup', 'SyncGroup', 'OffsetCommit', 'Heartbeat'] as const)
      expect(cluster.requests(api).map(({ request }) => request.groupInstanceId)).toContain('pod-0');
    expect(cluster.requests('LeaveGroup')).toEqual([]);
  });

  it.each([[unknownMemberId], [illegalGeneration]])(
    'gives up its partitions when the group evicts it with error %i',
    async (code) => {
      const cluster = new ScriptedCluster();
      const { joined, member } = joining(cluster);
      const membership = await joined;
      const commit = () => membership.commit([{ topic: 'events', partition: 0, offset: 9 }]);
      let end: () => void = () => undefined;
      member.onRelease = () => new Promise((resolve) => void (end = resolve));
      cluster.next('Heartbeat', refused(code));
      await cluster.pass(3_000);
      expect(member.releases).toEqual([{ evicted: true, within }]);
      expect(cluster.logger.lines).toEqual(['warn: group session timed out {"group":"readers"}']);
      await expect(commit()).rejects.toMatchObject({ type: 'UNKNOWN_MEMBER_ID' });
      await cluster.pass(9_000);
      expect(cluster.requests('Heartbeat')).toHaveLength(1);
      expect(cluster.requests('JoinGroup')).toHaveLength(1);
      member.onRelease = () => Promise.resolve();
      end();
      await cluster.turns();
      await cluster.turns();
      expect(cluster.requests('JoinGroup').map(({ request }) => request.memberId)).toEqual(['', '']);
      await commit();
      await membership.leave();
    },
  );

  it.each([
    [errorCodes.coordinatorLoadInProgress, 1],
    ...[unknownMemberId, illegalGeneration, fencedInstanceId, rebalanceInProgress].map((code) => [code, 0]),
  ])('reports commits that fail with error %i for three seconds: %i times', async (errorCode, times) => {
    const cluster = new ScriptedCluster();
    const { joined, member } = joining(cluster);
    const membership = await joined;
    const commit = () => membership.commit([{ topic: 'events', partition: 0, offset: 9 }]);
    cluster.next('OffsetCommit', { topics: [{ name: 'events', partitions: [{ partition: 0, errorCode }] }] });
    await expect(commit()).rejects.toThrow();
    await cluster.pass(3_000);
    expect(member.interruptions).toHaveLength(times);
    await commit();
    expect(member.restorations).toBe(times);
    await membership.leave();
  });

  it('waits for handlers half a second longer than they have, and logs when it stops', async () => {
    const cluster = new ScriptedCluster();
    const { joined, member } = joining(cluster);
    const membership = await joined;
    member.onRelease = () => new Promise(() => undefined);
    cluster.next('Heartbeat', refused(rebalanceInProgress));
    await cluster.pass(3_000);
    await cluster.pass(within + 499);
    expect(cluster.requests('JoinGroup')).toHaveLength(1);
    expect(cluster.logger.lines).toEqual([]);
    member.onRelease = () => Promise.resolve();
    await cluster.pass(1);
    await cluster.turns();
    expect(cluster.requests('JoinGroup')).toHaveLength(2);
    const late = ['warn: handlers did not end before the rebalance {"group":"readers"}'];
    expect(cluster.logger.lines).toEqual(late);
    await membership.leave();
    await cluster.pass(600_000);
    expect(cluster.logger.lines).toEqual(late);
  });

  it.each([
    [
      'a heartbeat',
      (cluster: ScriptedCluster) => cluster.next('Heartbeat', refused(errorCodes.groupAuthorizationFailed)),
    ],
    [
      'a fetch',
      (cluster: ScriptedCluster) =>
        cluster.next('Fetch', { errorCode: errorCodes.topicAuthorizationFailed, topics: [] }),
    ],
  ])('ends when retries of %s do not help', async (_, arrange) => {
    const cluster = new ScriptedCluster();
    const { joined, member } = joining(cluster);
    const membership = await joined;
    arrange(cluster);
    await cluster.pass(3_000);
    await cluster.turns();
    await cluster.turns();
    expect(member.releases).toEqual([{ evicted: false, within }]);
    expect(member.failures).toMatchObject([
      {
        code: 'not-authorized',
        message: expect.stringContaining(
          'Kafka at kafka:9092 no longer lets group "readers" consume "events"',
        ) as string,
      },
    ]);
    expect(cluster.requests('LeaveGroup')).toHaveLength(1);
    await expect(membership.commit([])).rejects.toMatchObject({ type: 'UNKNOWN_MEMBER_ID' });
    expect(cluster.clock.next).toBeUndefined();
  });

  it('gives a fetch five seconds more than it waits for records', async () => {
    const cluster = new ScriptedCluster();
    cluster.leaders = { events: [1] };
    const membership = await joining(cluster, { maxWait: 40_000 }).joined;
    await cluster.turns();
    expect(cluster.requests('Fetch')[0]).toMatchObject({ request: { maxWaitMs: 40_000 }, timeout: 45_000 });
    await membership.leave();
  });

  it('fetches from many brokers at once without a warning of Node', async () => {
    const cluster = new ScriptedCluster();
    cluster.leaders = { events: Array.from({ length: 12 }, (_, nth) => nth + 1) };
    cluster.committed = Array<number>(12).fill(0);
    const warnings: string[] = [];
    const warned = ({ name }: Error) => void warnings.push(name);
    process.on('warning', warned);
    onTestFinished(() => void process.off('warning', warned));
    const membership = await joining(cluster).joined;
    await cluster.turns();
    const fetching = cluster.sent.filter(({ api }) => api === 'Fetch');
    expect(new Set(fetching.map(({ node }) => node)).size).toBe(12);
    expect(warnings).toEqual([]);
    await membership.leave();
  });

  it('requests nothing of a paused partition until it resumes', async () => {
    const cluster = new ScriptedCluster();
    cluster.leaders = { events: [1] };
    cluster.committed = [5];
    const { joined } = joining(cluster);
    const membership = await joined;
    await cluster.turns();
    const fetches = () => cluster.requests('Fetch').length;
    expect(fetches()).toBeGreaterThan(0);
    membership.pause('events', 0);
    await cluster.turns();
    const paused = fetches();
    await cluster.turns();
    expect(fetches()).toBe(paused);
    membership.resume('events', 0);
    await cluster.turns();
    expect(fetches()).toBeGreaterThan(paused);
    await membership.leave();
  });

  it('fetches a partition whose leader it finds while the others are paused', async () => {
    const cluster = new ScriptedCluster();
    const { joined } = joining(cluster);
    const membership = await joined;
    membership.pause('events', 0);
    await cluster.turns();
    expect(cluster.requests('Fetch').length).toBeGreaterThan(0);
    const noLeader = { partition: 1, errorCode: errorCodes.notLeaderOrFollower };
    cluster.next('Fetch', fetched(NO_BYTES, noLeader));
    await cluster.turns();
    const fetches = cluster.requests('Fetch').length;
    await cluster.pass(200);
    expect(cluster.requests('Fetch').length).toBeGreaterThan(fetches);
    await membership.leave();
  });

  it.each([
    ['at the end that the epoch of its last batch has there', 4, 'some-id', endsAt(6), 6],
    ['where it was, if that epoch ends later', 4, 'some-id', endsAt(9), 8],
    ['where it was, if the epoch is unknown', 4, 'some-id', endsAt(-1), 8],
    ['where it was, if the request fails', 4, 'some-id', cut, 8],
    ['where it was, if the topic may be another one', undefined, ZERO_UUID, endsAt(6), 8],
  ])('continues on a new leader %s', async (_, epoch, topicId, response, next) => {
    const cluster = new ScriptedCluster();
    cluster.leaders = { events: [1] };
    cluster.committed = [5];
    cluster.topicId = topicId;
    const { joined, member } = joining(cluster);
    const membership = await joined;
    const batch = buildBatch([{ value: '5' }, { value: '6' }, { value: '7' }], 0);
    batch.writeBigInt64BE(5n, batchLayout.baseOffset);
    batch.writeInt32BE(4, batchLayout.partitionLeaderEpoch);
    cluster.next('Fetch', fetched(batch));
    await cluster.turns();
    cluster.leaders = { events: [2] };
    cluster.always('OffsetForLeaderEpoch', response);
    cluster.next('Fetch', fetched(NO_BYTES, { errorCode: errorCodes.notLeaderOrFollower }));
    await cluster.pass(200);
    const asked = cluster.requests('OffsetForLeaderEpoch');
    const topics = [{ topic: 'events', partitions: [{ partition: 0, leaderEpoch: epoch }] }];
    expect(asked).toMatchObject(epoch === undefined ? [] : [{ node: 2, request: { replicaId: -1, topics } }]);
    const fetches = cluster.requests('Fetch').filter(({ node }) => node === 2);
    expect(fetches[0]).toMatchObject({ request: { topics: [{ partitions: [{ fetchOffset: next }] }] } });
    expect(member.batches.slice(1)).toMatchObject(next === 8 ? [] : [{ from: next, next, records: [] }]);
    await membership.leave();
  });

  it.each([
    ['where its log left the epoch of the committed offset', 4, endsAt(3), 3],
    ['at the committed offset, if that epoch ends later', 4, endsAt(9), 5],
    ['at the committed offset, if it was committed without an epoch', undefined, endsAt(3), 5],
  ])('begins a partition %s', async (_, committedLeaderEpoch, response, next) => {
    const cluster = new ScriptedCluster();
    cluster.leaders = { events: [1] };
    cluster.topicId = 'some-id';
    const partitions = [{ partition: 0, errorCode: none, committedOffset: 5, committedLeaderEpoch }];
    cluster.always('OffsetFetch', { errorCode: none, topics: [{ name: 'events', partitions }] });
    cluster.always('OffsetForLeaderEpoch', response);
    const { joined, member } = joining(cluster);
    const membership = await joined;
    await cluster.turns();
    expect(cluster.requests('OffsetForLeaderEpoch')).toHaveLength(committedLeaderEpoch === undefined ? 0 : 1);
    expect(cluster.requests('Fetch')[0]!.request.topics).toMatchObject([
      { partitions: [{ fetchOffset: next }] },
    ]);
    expect(member.batches).toMatchObject(next === 5 ? [] : [{ from: next, next, records: [] }]);
    await membership.leave();
  });

  it('reads a replica in its rack, and asks the leader again after five minutes', async () => {
    const cluster = new ScriptedCluster();
    cluster.leaders = { events: [1] };
    cluster.committed = [5];
    const { joined, member } = joining(cluster, { rackId: 'zone-b' });
    const nodes = () => cluster.requests('Fetch').map(({ node }) => node);
    const batch = buildBatch([{ value: '5' }], 0);
    batch.writeBigInt64BE(5n, batchLayout.baseOffset);
    cluster.next('Fetch', fetched(NO_BYTES, { preferredReadReplica: 2 }), fetched(batch));
    cluster.always('Fetch', fetched(NO_BYTES));
    const membership = await joined;
    await cluster.turns();
    expect(cluster.requests('Fetch')[0]).toMatchObject({ node: 1, request: { rackId: 'zone-b' } });
    expect(new Set(nodes().slice(1))).toEqual(new Set([2]));
    expect(member.batches[0]).toMatchObject({ from: 5, next: 6 });
    await cluster.pass(299_999);
    expect(nodes().at(-1)).toBe(2);
    await cluster.pass(1);
    expect(nodes().at(-1)).toBe(1);
    await membership.leave();
  });

  it('asks the leader when a replica lacks the offset, and loses no position', async () => {
    const cluster = new ScriptedCluster();
    cluster.leaders = { events: [1] };
    cluster.committed = [5];
    const { joined, member } = joining(cluster, { rackId: 'zone-b' });
    const lacking = { errorCode: errorCodes.offsetOutOfRange };
    cluster.next('Fetch', fetched(NO_BYTES, { preferredReadReplica: 2 }), fetched(NO_BYTES, lacking));
    const membership = await joined;
    await cluster.turns();
    const fetches = cluster.requests('Fetch');
    expect(fetches.slice(0, 3).map(({ node }) => node)).toEqual([1, 2, 1]);
    expect(fetches[2]!.request.topics).toMatchObject([{ partitions: [{ fetchOffset: 5 }] }]);
    expect(cluster.requests('ListOffsets')).toEqual([]);
    expect(member.batches).toEqual([]);
    await membership.leave();
  });

  it('commits the leader epoch of the last batch', async () => {
    const cluster = new ScriptedCluster();
    cluster.leaders = { events: [1] };
    cluster.committed = [5];
    const membership = await joining(cluster).joined;
    const batch = buildBatch([{ value: '5' }], 0);
    batch.writeBigInt64BE(5n, batchLayout.baseOffset);
    batch.writeInt32BE(4, batchLayout.partitionLeaderEpoch);
    cluster.next('Fetch', fetched(batch));
    await cluster.turns();
    await membership.commit([{ topic: 'events', partition: 0, offset: 6 }]);
    const partitions = [{ partition: 0, committedOffset: 6, committedLeaderEpoch: 4 }];
    expect(cluster.requests('OffsetCommit')[0]!.request.topics).toMatchObject([{ partitions }]);
    await membership.leave();
  });

  it('names a partition whose topic is deleted while it is fetched', async () => {
    const cluster = new ScriptedCluster();
    cluster.leaders = { events: [1] };
    cluster.committed = [5];
    const { joined, member } = joining(cluster);
    const membership = await joined;
    cluster.leaders = {};
    cluster.always('Fetch', fetched(NO_BYTES, { errorCode: errorCodes.unknownTopicOrPartition }));
    for (const delay of [200, 400, 800, 1_600]) await cluster.pass(delay);
    const message = 'Topic "events", partition 0 was deleted or has no leader.';
    expect(member.interruptions[0]).toMatchObject({ message });
    await membership.leave();
  });

  it('reports where a partition ends whose records are not readable yet', async () => {
    const cluster = new ScriptedCluster();
    cluster.leaders = { events: [1] };
    cluster.committed = [5];
    const { joined, member } = joining(cluster);
    const membership = await joined;
    cluster.next('Fetch', fetched(NO_BYTES));
    await cluster.turns();
    expect(member.batches).toMatchObject([{ from: 5, next: 5, highWatermark: 9, records: [] }]);
    await membership.leave();
  });

  it('requests a damaged batch again after longer and longer delays', async () => {
    const cluster = new ScriptedCluster();
    cluster.leaders = { events: [1] };
    cluster.committed = [5];
    const intact = buildBatch([{ value: 'intact' }], 0);
    intact.writeBigInt64BE(5n, batchLayout.baseOffset);
    cluster.always('Fetch', fetched(damaged()));
    const { joined } = joining(cluster, { heartbeatInterval: 100_000, sessionTimeout: 600_000 });
    const membership = await joined;
    await cluster.turns();
    const fetches = () => cluster.requests('Fetch').length;
    for (const delay of [200, 400, 800, 1_600, 3_200, 6_400, 12_800, 25_600, 30_000, 30_000]) {
      const before = fetches();
      await cluster.pass(delay - 1);
      expect(fetches()).toBe(before);
      await cluster.pass(1);
      expect(fetches()).toBe(before + 1);
    }
    // An intact batch ends the failure, and the next begins with the first delay again.
    cluster.next('Fetch', fetched(intact));
    await cluster.pass(30_000);
    const before = fetches();
    await cluster.pass(200);
    expect(fetches()).toBe(before + 1);
    await membership.leave();
    expect(cluster.clock.next).toBeUndefined();
  });

  it('delays no other partition for a damaged batch', async () => {
    const cluster = new ScriptedCluster();
    const { joined } = joining(cluster, { heartbeatInterval: 100_000, sessionTimeout: 600_000 });
    const lists = (
      partition: number,
      { topics }: { readonly topics: readonly { readonly partitions: object }[] },
    ) => JSON.stringify(topics).includes(`"partition":${partition}`);
    const fetches = (partition: number) =>
      cluster.requests('Fetch').filter(({ request }) => lists(partition, request)).length;
    cluster.always('Fetch', (request) =>
      lists(0, request) ? fetched(damaged()) : fetched(NO_BYTES, { partition: 1 }),
    );
    const membership = await joined;
    for (const delay of [200, 400, 800, 1_600, 3_200]) await cluster.pass(delay);
    const [first, second] = [fetches(0), fetches(1)];
    await cluster.turns();
    expect(fetches(1)).toBeGreaterThan(second);
    const noLeader = { partition: 1, errorCode: errorCodes.notLeaderOrFollower };
    cluster.next('Fetch', fetched(NO_BYTES, noLeader));
    await cluster.turns();
    const third = fetches(1);
    await cluster.pass(200);
    expect(fetches(1)).toBeGreaterThan(third);
    expect(fetches(0)).toBe(first);
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

/** The response to a fetch of one partition. */
function fetched(
  records: Buffer,
  others: {
    readonly partition?: number;
    readonly errorCode?: number;
    readonly preferredReadReplica?: number;
  } = {},
): object {
  const partitions = [{ partition: 0, errorCode: none, highWatermark: 9, records, ...others }];
  return { errorCode: none, topics: [{ topic: 'events', partitions }] };
}

/** The response to a question for the end of an epoch. */
function endsAt(endOffset: number): object {
  const partitions = [{ partition: 0, errorCode: none, leaderEpoch: 4, endOffset }];
  return { topics: [{ topic: 'events', partitions }] };
}

/** A batch with a wrong checksum. */
function damaged(): Buffer {
  return buildBatch([{ value: 'damaged' }], 0).fill(0, batchLayout.crc, batchLayout.attributes);
}

describe('a member that leaves', () => {
  it('releases its partitions, leaves the group and ends its fetches', async () => {
    const cluster = new ScriptedCluster();
    const { joined, member } = joining(cluster);
    const membership = await joined;
    let respond: (response: object) => void = () => undefined;
    cluster.always('Fetch', () => new Promise((resolve) => void (respond = resolve)));
    await cluster.turns();
    let hasLeft = false;
    const leaving = membership.leave().then(() => {
      hasLeft = true;
    });
    await cluster.turns();
    await cluster.turns();
    expect(member.releases).toEqual([{ evicted: false, within }]);
    expect(cluster.requests('LeaveGroup')).toHaveLength(1);
    expect(hasLeft).toBe(false);
    const fetched = member.fetches;
    respond({ errorCode: none, topics: [] });
    await leaving;
    expect(member.fetches).toBe(fetched);
    expect(member.failures).toEqual([]);
    await expect(membership.commit([])).rejects.toMatchObject({ type: 'UNKNOWN_MEMBER_ID' });
    expect(cluster.clock.next).toBeUndefined();
    await membership.leave();
    expect(cluster.requests('LeaveGroup')).toHaveLength(1);
  });

  it('leaves though the coordinator cannot be reached', async () => {
    const cluster = new ScriptedCluster();
    const { joined, member } = joining(cluster);
    const membership = await joined;
    cluster.always('LeaveGroup', cut);
    await membership.leave();
    expect(member.failures).toEqual([]);
  });

  it('does not wait for the next attempt to join', async () => {
    const cluster = new ScriptedCluster();
    const { joined, member } = joining(cluster);
    const membership = await joined;
    cluster.always('JoinGroup', cut);
    cluster.next('Heartbeat', refused(rebalanceInProgress));
    await cluster.pass(3_000);
    const releases = member.releases.length;
    await membership.leave();
    expect(member.releases).toHaveLength(releases);
    expect(cluster.requests('JoinGroup')).toHaveLength(2);
    expect(member.assignments).toHaveLength(1);
    expect(cluster.clock.next).toBeUndefined();
  });

  it('takes no assignment that arrives meanwhile', async () => {
    const cluster = new ScriptedCluster();
    const { joined, member } = joining(cluster);
    const membership = await joined;
    cluster.next('Heartbeat', refused(rebalanceInProgress));
    const respond = cluster.hold('JoinGroup', (request) => cluster.joined(request));
    await cluster.pass(3_000);
    const leaving = membership.leave();
    respond();
    await leaving;
    expect(member.assignments).toHaveLength(1);
    expect(cluster.requests('LeaveGroup')).toHaveLength(1);
  });

  it('leaves while it is assigned partitions', async () => {
    const cluster = new ScriptedCluster();
    const { joined, member } = joining(cluster);
    const membership = await joined;
    let leaving: Promise<void> | undefined;
    member.assigned = () => {
      leaving = membership.leave();
    };
    cluster.next('Heartbeat', refused(rebalanceInProgress));
    await cluster.pass(3_000);
    await leaving;
    expect(member.releases).toHaveLength(2);
    expect(cluster.requests('JoinGroup')).toHaveLength(2);
    expect(cluster.requests('LeaveGroup')).toHaveLength(1);
  });

  it('reports no failure that arrives meanwhile', async () => {
    const cluster = new ScriptedCluster();
    const { joined, member } = joining(cluster);
    const membership = await joined;
    cluster.next('Heartbeat', refused(rebalanceInProgress));
    const refusal = { ...refused(errorCodes.groupAuthorizationFailed), memberId: '' };
    const respond = cluster.hold('JoinGroup', () => refusal);
    await cluster.pass(3_000);
    const leaving = membership.leave();
    respond();
    await leaving;
    expect(member.failures).toEqual([]);
  });

  it('keeps its membership while handlers end', async () => {
    const cluster = new ScriptedCluster();
    const { joined, member } = joining(cluster);
    const membership = await joined;
    let end: () => void = () => undefined;
    member.onRelease = () => new Promise((resolve) => void (end = resolve));
    const leaving = membership.leave();
    cluster.next('Heartbeat', refused(rebalanceInProgress), cut);
    await cluster.pass(groupOptions.heartbeatInterval);
    await cluster.pass(groupOptions.heartbeatInterval);
    await cluster.pass(2_000);
    expect(cluster.requests('Heartbeat')).toHaveLength(3);
    end();
    await leaving;
    expect(cluster.clock.next).toBeUndefined();
  });
});
