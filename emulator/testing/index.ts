export { type VirtualClock, virtualClock } from 'busbar/base';
export {
  type MemoryDeadLetter,
  type MemoryOptions,
  type MemoryRecord,
  type MemoryTransport,
  memory,
} from 'busbar/internal/memory';
export { arbitraryEvent } from './arbitrary-event.js';
export {
  type BenchOptions,
  createTestBench,
  type DeliverOptions,
  type TestBench,
} from './bench.js';
export type { BenchWorld, PlayOptions } from './bench-world.js';
export type { RestApi } from './verify/fake-rest-api.js';
export type { Outcome } from './outcomes.js';
export type { RunnableConsumer } from './virtual-run.js';
export type { Started } from '../run/session.js';
export type { Account } from '../world/cell.js';
export type { Overrides } from './overrides.js';
export {
  createSamples,
  type LabelledSample,
  sample,
  type SampleChoice,
  type SampleKind,
  type Samples,
  samples,
} from './samples.js';
export { event, type Expectations, ExpectationError, type Given, given, type TestEvent } from './given.js';
export { type TestHooks, useService } from './use-started.js';
export {
  type ConsumerSource,
  type ContractOptions,
  type ContractSetup,
  type SurvivableFault,
  survivableFaults,
  type VerifyOptions,
} from './verify/contract.js';
export type { Acceptance } from './verify/accept.js';
export type {
  Cause,
  Diagnosis,
  DiagnosisName,
  Finding,
  OwnFrame,
  Problem,
  Repro,
  ShownError,
} from './verify/causes.js';
export {
  type ConsumerContract,
  type Contract,
  defineContract,
  type ObservedTable,
  type ServiceContract,
} from './service/contract.js';
export type { Observed, Row } from './verify/households.js';
export type { CheckResult, CheckStatus, ContractReport, Coverage } from './verify/report.js';
export { describeContract, type DescribeOptions, type TestRunner } from './describe-contract.js';
export { loadContract, type LoadedContract } from './verify/load-contract.js';
export { type SavedFailure, readRepro } from './verify/repro.js';
export { recordFields, replayFailure, verifyConsumer } from './verify-consumer.js';
export { reportForGithub, summaryForGithub } from './report/github.js';
export { reportAsJson } from './report/json.js';
export { reportAsJunit } from './report/junit.js';
export { formatText, type ReplayCommand } from './report/text.js';
