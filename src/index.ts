export {
  type Catalogue,
  type CatalogueEvent,
  type EventCatalogue,
  type EventType,
  openCatalogue,
  type PayloadOf,
  type VersionOf,
} from '../catalogue/index.js';
export { type Clock, systemClock } from './base/clock.js';
export { type Consumer, type ConsumerOptions, createConsumer, type Definitions } from './consumer.js';
export { dispatch, on, onAny, onMatching, run, upcast, use } from './default-consumer.js';
export { deadLetterMessage, type DeadLetterMessage } from './dead-letter.js';
export type { Drift } from './dispatch.js';
export { type EnvelopePaths, envelopeAtPaths } from './envelope/at-paths.js';
export {
  type BusbarEnvelope,
  busbarEnvelope,
  type EnvelopeHeaders,
  envelopeHeaders,
  envelopeHeadersOf,
} from './envelope/busbar.js';
export type { EnvelopeChoice } from './envelope/by-topic.js';
export { type CloudEventsOptions, cloudEventsEnvelope } from './envelope/cloudevents.js';
export { eventBridgeEnvelope } from './envelope/eventbridge.js';
export type {
  DecodedEvent,
  EncodedEvent,
  EnvelopeCodec,
  EventKey,
  EventToEncode,
} from './envelope/envelope.js';
export { envelopeNames, type EnvelopeSetting, openEnvelope } from './envelope/open-envelope.js';
export type { DeadLetterDetails } from './error-details.js';
export { BusbarError, type ErrorCode, errorCodes } from './base/errors.js';
export type { AnyEvent, EventFields, EventOf, Handler, HandlerContext } from './event.js';
export type { Health, HungHandler, PartitionHealth } from './running/health.js';
export { type Logger, type LogFields, silentLogger, stderrLogger } from './base/logger.js';
export type { Middleware } from './middleware.js';
export type { AttemptEnd, RunObserver, Settlement } from './running/observer.js';
export type { Policies, Policy, PolicyAction, Problem } from './policies.js';
export type { HandlerOptions, Registration } from './registry.js';
export type { BackoffOptions, RetryOptions } from './running/retry.js';
export type { AfterDeadLetter, HandlingOptions, LaneBy, RunOptions } from './running/run-options.js';
export type { RunCounts, RunningConsumer } from './running/running-consumer.js';
export type { DispatchOptions } from './running/record-dispatch.js';
export {
  type HeaderInput,
  type HeaderValue,
  type HeaderValues,
  recordHeaders,
} from './transports/record-headers.js';
export type { MessageInput, RecordInput } from './transports/record-input.js';
export type {
  ConsumerRecord,
  DeadLetterCause,
  DeadLetterError,
  HeldLetter,
  OpenOptions,
  Partition,
  PartitionStatus,
  Receiver,
  RecordHeaders,
  Revocation,
  Subscription,
  SubscriptionStatus,
  Transport,
  TransportCapabilities,
} from './transports/transport.js';
export type {
  DeadLetterVerdict,
  FailVerdict,
  HandleVerdict,
  RecordProblem,
  SkipVerdict,
  Verdict,
} from './verdict.js';
export type { PreferLatest } from './versions.js';
