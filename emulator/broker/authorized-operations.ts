/** Kafka's ACL operations by number (`AclOperation` of its clients). */
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

/** The field's value if the client did not request authorized operations. */
export const NOT_REQUESTED = -0x8000_0000;

/** All operations on a resource, one bit each, as Kafka returns them without an authorizer. Groups: Kafka 3.9. */
const ofResource = {
  topic: bits('read', 'write', 'create', 'delete', 'alter', 'describe', 'describeConfigs', 'alterConfigs'),
  group: bits('read', 'delete', 'describe'),
  cluster: bits(
    ...(['create', 'alter', 'describe', 'clusterAction'] as const),
    ...(['describeConfigs', 'alterConfigs', 'idempotentWrite'] as const),
  ),
};

export function authorizedOperations(resource: keyof typeof ofResource, isRequested: boolean): number {
  return isRequested ? ofResource[resource] : NOT_REQUESTED;
}

function bits(...all: readonly Operation[]): number {
  return all.reduce((sum, operation) => sum + 2 ** operations[operation], 0);
}
