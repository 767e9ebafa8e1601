import type { Dialogue } from '../dialogue.js';

/** The first requests of a client, and forbidden requests. */
export async function connections(to: Dialogue): Promise<void> {
  const software = { clientSoftwareName: 'a', clientSoftwareVersion: '1' };
  const { errorCode } = await to.ask('ApiVersions', software);
  to.keep('versions', { errorCode });
  for (const [name, body] of [
    ['no name', { ...software, clientSoftwareName: '' }],
    ['a name with a space', { ...software, clientSoftwareName: 'a b' }],
    ['a version with a slash', { ...software, clientSoftwareVersion: '1/2' }],
    ['dots and dashes', { clientSoftwareName: 'a.b-c', clientSoftwareVersion: '1.0-rc_1' }],
  ] as const) {
    const answer = await to.ask('ApiVersions', body);
    to.keep(`versions for a client with ${name}`, { errorCode: answer.errorCode });
  }
  await to.step('SASL without SASL', 'SaslHandshake', { mechanism: 'PLAIN' });
  await to.step('a token without SASL', 'SaslAuthenticate', { authBytes: Buffer.from('\0a\0b') });
  await to.inEveryVersion('the cluster', 'DescribeCluster', () => ({
    includeClusterAuthorizedOperations: false,
    endpointType: 1,
  }));
  await to.inEveryVersion('the cluster with its operations', 'DescribeCluster', () => ({
    includeClusterAuthorizedOperations: true,
    endpointType: 1,
    includeFencedBrokers: true,
  }));
  await to.settle('producer ids', 'InitProducerId', producer({}), ({ errorCode: code }) => code === 0);
  to.begin();
  await to.inEveryVersion('a producer', 'InitProducerId', () => producer({}));
  await to.step('a producer with an id but no epoch', 'InitProducerId', producer({ producerId: 7 }));
  await to.step('a producer with an epoch but no id', 'InitProducerId', producer({ producerEpoch: 7 }));
  await to.step('a producer again', 'InitProducerId', producer({ producerId: 7, producerEpoch: 0 }));
  await to.step('an empty transactional id', 'InitProducerId', producer({ transactionalId: '' }));
  await to.settle(
    'the coordinator',
    'FindCoordinator',
    coordinator(to, 'g', 0),
    (answer: { coordinators: { errorCode: number }[] }) =>
      answer.coordinators.every(({ errorCode: code }) => code === 0),
  );
  await to.inEveryVersion('the coordinator of a group', 'FindCoordinator', () => coordinator(to, 'g', 0));
  await to.step('the coordinator of what does not exist', 'FindCoordinator', coordinator(to, 'g', 9));
  await to.step('the coordinator of no group', 'FindCoordinator', {
    ...{ key: '', keyType: 0, coordinatorKeys: [''] },
  });
  await to.step('the coordinators of two', 'FindCoordinator', {
    ...{ key: '', keyType: 0, coordinatorKeys: [to.named('g'), to.named('h')] },
  });
  await to.step('coordinators of nothing', 'FindCoordinator', { key: '', keyType: 0, coordinatorKeys: [] });
}

function coordinator(to: Dialogue, key: string, keyType: number) {
  return { key: to.named(key), keyType, coordinatorKeys: [to.named(key)] };
}

function producer(changes: Record<string, unknown>) {
  return {
    transactionalId: null,
    transactionTimeoutMs: 60_000,
    producerId: -1,
    producerEpoch: -1,
    ...changes,
  };
}
