import type { PlanOptions } from './run/plan.js';
import type { EmulatorOptions, EmulatorRunOptions } from './start/start-emulator.js';

export {
  type Emulator,
  type EmulatorOptions,
  type EmulatorRunOptions,
  startEmulator,
} from './start/start-emulator.js';
export type { Playback } from './start/playback.js';
export { replayRecording, type ReplayRecordingOptions } from './start/replay-recording.js';
export type { RunStartOptions, KafkaOptions, SendOptions } from './start/send-options.js';
export { after, between, type Branches, type Steps, parallel, until } from './engine/scenario.js';
export {
  type Check,
  type CheckOptions,
  startCheck,
  type Violation,
} from './invariants/check.js';
export { invariants } from './invariants/index.js';
export type {
  Finding,
  Invariant,
  StreamEvent,
  StreamInvariant,
  Watch,
  WorldInvariant,
} from './invariants/invariant.js';
export type { EntryFacts, Truth } from './invariants/truth.js';
export type { OutgoingEvent } from './run/outgoing-event.js';
export type { HttpOptions } from './http/secure.js';
export type { PlatformApiOptions } from './platform-api/settings.js';
export type { SentVersions } from './run/encode.js';
export type { FaultMask } from './run/faults/decide.js';
export type { FaultName, Faults } from './run/faults/settings.js';
export type {
  ImportSupplier,
  SupplierBehaviours,
  SupplierChanges,
  SupplierStatus,
} from './run/import-supplier.js';
export type { Input, InputContent } from './run/inputs.js';
export type { KeepOptions, ResetOptions, StartOptions } from './run/options.js';
export type { Session, Started } from './run/session.js';
export type { Sampled, TriggerOptions } from './run/trigger.js';
export { groundTruthOf } from './run/recording/same-run.js';
export type { ReplayOptions } from './run/recording/replay.js';
export type { Variation } from './run/vary/variations.js';
export type { PaceOptions } from './run/pace.js';
export { defaultStart } from './engine/calendar.js';
export type { PlanOptions } from './run/plan.js';
export type { Run, RunSummary } from './run/run.js';
export type { Shard } from './run/shard.js';
export { defineScenario, type EmitOptions, emit, type PlatformScenario } from './scenarios/define.js';
export { scenarios } from './scenarios/index.js';
export * as changes from './world/changes.js';
export type { ConsumedOptions } from './control-api/consumed.js';
export { type FileSinkOptions, fileSink } from './sinks/file.js';
export { type KafkaSinkOptions, kafkaSink } from './sinks/kafka.js';
export type { Sink } from './run/sink.js';
export { signature, type WebhookSinkOptions, webhookSink } from './sinks/webhook.js';

declare module 'busbar/config' {
  interface BusbarConfig {
    /** Files with your own scenarios, which `emulate` knows by name. */
    readonly scenarios?: readonly string[];
    /** Module with a consumer and its contract, which `emulate verify` tests. */
    readonly contract?: string;
    /** Seed, start, size and mix of the simulated world. */
    readonly world?: Pick<PlanOptions, 'seed' | 'start' | 'accounts' | 'room' | 'mix' | 'rates'>;
    /** Options of `startEmulator`, and addresses as `emulate --to` takes them. */
    readonly emulator?: Omit<
      EmulatorOptions,
      | 'catalogue'
      | 'clock'
      | 'envelope'
      | 'inputs'
      | 'logger'
      | 'maskFaults'
      | 'run'
      | 'scenarios'
      | 'sinks'
      | 'seed'
      | 'start'
      | 'accounts'
      | 'room'
      | 'mix'
      | 'rates'
    > & {
      readonly to?: readonly string[];
      readonly run?: Pick<EmulatorRunOptions, 'record' | 'faultLog' | 'waitForConsumer'>;
    };
  }
}
