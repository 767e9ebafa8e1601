import type { Api } from '../api.js';
import { createAcls, deleteAcls, describeAcls } from './acls.js';
import { alterConfigs, incrementalAlterConfigs } from './alter-configs.js';
import { apiVersions } from './api-versions.js';
import { createPartitions } from './create-partitions.js';
import { createTopics } from './create-topics.js';
import { deleteGroups } from './delete-groups.js';
import { deleteRecords } from './delete-records.js';
import { deleteTopics } from './delete-topics.js';
import { describeClientQuotas } from './describe-client-quotas.js';
import { describeCluster } from './describe-cluster.js';
import { describeConfigs } from './describe-configs.js';
import { describeGroups } from './describe-groups.js';
import { describeLogDirs } from './describe-log-dirs.js';
import { describeProducers } from './describe-producers.js';
import { electLeaders } from './elect-leaders.js';
import { fetch } from './fetch.js';
import { findCoordinator } from './find-coordinator.js';
import { heartbeat } from './heartbeat.js';
import { initProducerId } from './init-producer-id.js';
import { joinGroup } from './join-group.js';
import { leaveGroup } from './leave-group.js';
import { listConfigResources } from './list-config-resources.js';
import { listGroups } from './list-groups.js';
import { listOffsets } from './list-offsets.js';
import { listPartitionReassignments } from './list-partition-reassignments.js';
import { metadata } from './metadata.js';
import { offsetCommit } from './offset-commit.js';
import { offsetDelete } from './offset-delete.js';
import { offsetFetch } from './offset-fetch.js';
import { offsetForLeaderEpoch } from './offset-for-leader-epoch.js';
import { produce } from './produce.js';
import { saslAuthenticate } from './sasl-authenticate.js';
import { saslHandshake } from './sasl-handshake.js';
import { syncGroup } from './sync-group.js';

/** All APIs that the broker serves, by key. */
export const apis: ReadonlyMap<number, Api> = new Map(
  [
    produce,
    fetch,
    listOffsets,
    metadata,
    offsetCommit,
    offsetFetch,
    findCoordinator,
    joinGroup,
    heartbeat,
    leaveGroup,
    syncGroup,
    describeGroups,
    listGroups,
    saslHandshake,
    apiVersions,
    createTopics,
    deleteTopics,
    deleteRecords,
    initProducerId,
    offsetForLeaderEpoch,
    describeAcls,
    createAcls,
    deleteAcls,
    describeConfigs,
    alterConfigs,
    describeLogDirs,
    saslAuthenticate,
    createPartitions,
    deleteGroups,
    electLeaders,
    incrementalAlterConfigs,
    listPartitionReassignments,
    offsetDelete,
    describeClientQuotas,
    describeCluster,
    describeProducers,
    listConfigResources,
  ].map((api) => [api.key, api]),
);
