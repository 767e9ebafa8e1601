import { NOT_REQUESTED } from 'busbar/internal/kafka-protocol';

/**
 * All operations on a resource, one bit each, as Kafka returns them without an authorizer: 3 read, 4 write, 5 create,
 * 6 delete, 7 alter, 8 describe, 9 cluster action, 10 describe configs, 11 alter configs, 12 idempotent write
 * (`AclOperation` of Kafka's clients). Groups: Kafka 3.9.
 */
const ofResource = {
  topic: bits(3, 4, 5, 6, 7, 8, 10, 11),
  group: bits(3, 6, 8),
  cluster: bits(5, 7, 8, 9, 10, 11, 12),
};

export function authorizedOperations(resource: keyof typeof ofResource, isRequested: boolean): number {
  return isRequested ? ofResource[resource] : NOT_REQUESTED;
}

function bits(...operations: readonly number[]): number {
  return operations.reduce((sum, operation) => sum + 2 ** operation, 0);
}
