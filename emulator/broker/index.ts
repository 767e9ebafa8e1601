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
