export { type Broker, createBroker, type Peer } from './broker.js';
export { BrokerError, type BrokerErrorCode } from './broker-error.js';
export { type BrokerClock, wallClock } from './clock.js';
export type { Address } from './connection.js';
export type { Departure, DepartureReason, GroupState } from './groups/group.js';
export type {
  BrokerState,
  CommittedState,
  GroupDescription,
  MemberDescription,
  PartitionState,
  TopicState,
} from './inspect.js';
export type { Fault, InterceptedRequest, Interceptor } from './intercept.js';
export type { RecordInput } from './log/build-batch.js';
export type { BrokerLogger } from './logger.js';
export type { BrokerOptions, TopicOptions } from './options.js';
export { type RunningBroker, type StartBrokerOptions, startBroker } from './start.js';
export type { AppendedRecord, AppendRecord } from './topics/append-records.js';
