export type { AppliedFault } from './faults/applied.js';
export type { BrokerFaults, ListedRule } from './faults/broker-faults.js';
export type { EvictOptions, TruncateOptions } from './broker.js';
export type { HeldAnswer, Hold, HoldState } from './faults/hold.js';
export type { KafkaError } from './faults/known-errors.js';
export type { FaultRule, HoldPoint, RecordPosition, RequestFilter } from './faults/rules.js';
export type { Versions } from 'busbar/internal/kafka-protocol';
export type { Departure, DepartureReason, GroupState } from './groups/group.js';
export type {
  BrokerState,
  CommittedState,
  GroupDescription,
  MemberDescription,
  PartitionState,
  TopicState,
} from './inspect.js';
export type { BrokerOptions, TopicOptions } from './options.js';
export { type RunningBroker, type StartBrokerOptions, startBroker } from './start.js';
