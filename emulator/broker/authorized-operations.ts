/** Numbers of operations in Kafka's ACLs (`AclOperation` of its clients). */
const operations = {
  read: 3,
  write: 4,
  create: 5,
  delete: 6,
  alter: 7,
  describe: 8,
  clusterAction: 9,
  describeConfigs: 10,
  alterConfigs: 11,
  idempotentWrite: 12,
} as const;

type Operation = keyof typeof operations;

/** The value of a field of authorized operations when the client did not ask for them. */
export const NOT_ASKED_FOR = -0x8000_0000;

/** All operations that a resource knows, one bit each: what Kafka answers without an authorizer. Groups: Kafka 3.9. */
const ofResource = {
  topic: bits('read', 'write', 'create', 'delete', 'alter', 'describe', 'describeConfigs', 'alterConfigs'),
  group: bits('read', 'delete', 'describe'),
  cluster: bits(
    ...(['create', 'alter', 'describe', 'clusterAction'] as const),
    ...(['describeConfigs', 'alterConfigs', 'idempotentWrite'] as const),
  ),
};

export function authorizedOperations(resource: keyof typeof ofResource, isAskedFor: boolean): number {
  return isAskedFor ? ofResource[resource] : NOT_ASKED_FOR;
}

function bits(...all: readonly Operation[]): number {
  return all.reduce((sum, operation) => sum + 2 ** operations[operation], 0);
}
