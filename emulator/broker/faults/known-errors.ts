const coordinated =
  'JoinGroup LeaveGroup DescribeGroups DeleteGroups OffsetCommit OffsetDelete InitProducerId';
const membership = 'SyncGroup Heartbeat OffsetCommit';
const topicAdmin = 'CreateTopics DeleteTopics CreatePartitions';
const configAdmin = 'AlterConfigs IncrementalAlterConfigs';
const ofLeaders = 'Fetch ListOffsets OffsetForLeaderEpoch';

const everyApi = '*';

/**
 * Kafka's errors with their codes, and the APIs to which Apache Kafka returns each of them. COORDINATOR_LOAD_IN_PROGRESS
 * is never returned to Heartbeat and SyncGroup: a loading coordinator returns NONE and REBALANCE_IN_PROGRESS to them.
 */
const table = {
  UNKNOWN_SERVER_ERROR: [-1, everyApi],
  OFFSET_OUT_OF_RANGE: [1, 'Fetch DeleteRecords'],
  CORRUPT_MESSAGE: [2, 'Produce Fetch'],
  UNKNOWN_TOPIC_OR_PARTITION: [
    3,
    `Produce ${ofLeaders} Metadata OffsetCommit OffsetFetch OffsetDelete DeleteTopics DeleteRecords CreatePartitions
     DescribeConfigs ${configAdmin} DescribeProducers ElectLeaders`,
  ],
  LEADER_NOT_AVAILABLE: [5, 'Metadata ListOffsets'],
  NOT_LEADER_OR_FOLLOWER: [6, `Produce ${ofLeaders} DeleteRecords DescribeProducers`],
  REQUEST_TIMED_OUT: [7, `Produce DeleteRecords ${topicAdmin} ElectLeaders`],
  REPLICA_NOT_AVAILABLE: [9, 'Fetch Metadata'],
  MESSAGE_TOO_LARGE: [10, 'Produce'],
  OFFSET_METADATA_TOO_LARGE: [12, 'OffsetCommit'],
  COORDINATOR_LOAD_IN_PROGRESS: [14, `${coordinated} OffsetFetch ListGroups`],
  COORDINATOR_NOT_AVAILABLE: [15, `FindCoordinator ${coordinated} SyncGroup Heartbeat ListGroups`],
  NOT_COORDINATOR: [16, `${coordinated} SyncGroup Heartbeat OffsetFetch`],
  INVALID_TOPIC_EXCEPTION: [
    17,
    `Produce Metadata ${topicAdmin} DescribeConfigs ${configAdmin} DescribeProducers`,
  ],
  RECORD_LIST_TOO_LARGE: [18, 'Produce'],
  NOT_ENOUGH_REPLICAS: [19, 'Produce'],
  NOT_ENOUGH_REPLICAS_AFTER_APPEND: [20, 'Produce'],
  INVALID_REQUIRED_ACKS: [21, 'Produce'],
  ILLEGAL_GENERATION: [22, membership],
  INCONSISTENT_GROUP_PROTOCOL: [23, 'JoinGroup SyncGroup'],
  INVALID_GROUP_ID: [24, `${coordinated} SyncGroup Heartbeat OffsetFetch FindCoordinator`],
  UNKNOWN_MEMBER_ID: [25, `JoinGroup LeaveGroup ${membership}`],
  INVALID_SESSION_TIMEOUT: [26, 'JoinGroup'],
  REBALANCE_IN_PROGRESS: [27, membership],
  INVALID_COMMIT_OFFSET_SIZE: [28, 'OffsetCommit'],
  TOPIC_AUTHORIZATION_FAILED: [
    29,
    `Produce ${ofLeaders} Metadata OffsetCommit OffsetFetch OffsetDelete ${topicAdmin} DeleteRecords DescribeConfigs
     ${configAdmin} DescribeProducers`,
  ],
  GROUP_AUTHORIZATION_FAILED: [
    30,
    `FindCoordinator JoinGroup LeaveGroup ${membership} OffsetFetch OffsetDelete DescribeGroups DeleteGroups`,
  ],
  CLUSTER_AUTHORIZATION_FAILED: [
    31,
    `Produce InitProducerId CreateTopics DescribeConfigs ${configAdmin} DescribeLogDirs ElectLeaders
     ListPartitionReassignments DescribeClientQuotas ListConfigResources`,
  ],
  INVALID_TIMESTAMP: [32, 'Produce'],
  UNSUPPORTED_SASL_MECHANISM: [33, 'SaslHandshake'],
  ILLEGAL_SASL_STATE: [34, 'SaslHandshake SaslAuthenticate'],
  UNSUPPORTED_VERSION: [35, 'ApiVersions ConsumerGroupHeartbeat'],
  TOPIC_ALREADY_EXISTS: [36, 'CreateTopics'],
  INVALID_PARTITIONS: [37, 'CreateTopics CreatePartitions'],
  INVALID_REPLICATION_FACTOR: [38, 'CreateTopics Metadata'],
  INVALID_REPLICA_ASSIGNMENT: [39, 'CreateTopics CreatePartitions'],
  INVALID_CONFIG: [40, `CreateTopics DescribeConfigs ${configAdmin}`],
  NOT_CONTROLLER: [41, `${topicAdmin} ElectLeaders ListPartitionReassignments`],
  INVALID_REQUEST: [
    42,
    `ApiVersions ListOffsets FindCoordinator InitProducerId ${topicAdmin} DescribeConfigs ${configAdmin}`,
  ],
  UNSUPPORTED_FOR_MESSAGE_FORMAT: [43, 'Produce ListOffsets'],
  POLICY_VIOLATION: [44, `CreateTopics CreatePartitions DeleteRecords ${configAdmin}`],
  OUT_OF_ORDER_SEQUENCE_NUMBER: [45, 'Produce'],
  INVALID_PRODUCER_EPOCH: [47, 'Produce InitProducerId'],
  INVALID_TXN_STATE: [48, 'Produce'],
  INVALID_TRANSACTION_TIMEOUT: [50, 'InitProducerId'],
  CONCURRENT_TRANSACTIONS: [51, 'InitProducerId'],
  TRANSACTIONAL_ID_AUTHORIZATION_FAILED: [53, 'Produce InitProducerId FindCoordinator'],
  SECURITY_DISABLED: [54, 'DescribeAcls CreateAcls DeleteAcls'],
  KAFKA_STORAGE_ERROR: [56, `Produce ${ofLeaders} DeleteRecords DescribeLogDirs`],
  SASL_AUTHENTICATION_FAILED: [58, 'SaslAuthenticate'],
  UNKNOWN_PRODUCER_ID: [59, 'Produce'],
  REASSIGNMENT_IN_PROGRESS: [60, 'CreatePartitions'],
  NON_EMPTY_GROUP: [68, 'DeleteGroups OffsetDelete'],
  GROUP_ID_NOT_FOUND: [69, 'DeleteGroups OffsetDelete DescribeGroups'],
  FETCH_SESSION_ID_NOT_FOUND: [70, 'Fetch'],
  INVALID_FETCH_SESSION_EPOCH: [71, 'Fetch'],
  LISTENER_NOT_FOUND: [72, 'Metadata'],
  TOPIC_DELETION_DISABLED: [73, 'DeleteTopics'],
  FENCED_LEADER_EPOCH: [74, ofLeaders],
  UNKNOWN_LEADER_EPOCH: [75, ofLeaders],
  UNSUPPORTED_COMPRESSION_TYPE: [76, 'Produce Fetch'],
  OFFSET_NOT_AVAILABLE: [78, 'Fetch ListOffsets'],
  MEMBER_ID_REQUIRED: [79, 'JoinGroup'],
  PREFERRED_LEADER_NOT_AVAILABLE: [80, 'ElectLeaders'],
  GROUP_MAX_SIZE_REACHED: [81, 'JoinGroup'],
  FENCED_INSTANCE_ID: [82, `JoinGroup LeaveGroup ${membership}`],
  ELECTION_NOT_NEEDED: [84, 'ElectLeaders'],
  GROUP_SUBSCRIBED_TO_TOPIC: [86, 'OffsetDelete'],
  INVALID_RECORD: [87, 'Produce'],
  UNSTABLE_OFFSET_COMMIT: [88, 'OffsetFetch'],
  THROTTLING_QUOTA_EXCEEDED: [89, topicAdmin],
  PRODUCER_FENCED: [90, 'InitProducerId'],
  UNKNOWN_TOPIC_ID: [100, 'Fetch Metadata DeleteTopics'],
  INCONSISTENT_TOPIC_ID: [103, 'Fetch'],
} as const satisfies Record<string, readonly [code: number, apis: string]>;

/** The name of an error of Kafka, for example `NOT_COORDINATOR`. */
export type KafkaError = keyof typeof table;

export const kafkaErrors = Object.keys(table) as readonly KafkaError[];

export function codeOf(error: KafkaError): number {
  return table[error][0];
}

/** Returns the errors that Apache Kafka returns to an API. */
export function errorsOf(api: string): KafkaError[] {
  return kafkaErrors.filter((error) => {
    const [, apis] = table[error];
    return apis === everyApi || apis.split(/\s+/).includes(api);
  });
}
