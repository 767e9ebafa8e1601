import { type Catalogue, openCatalogue } from '../catalogue/index.js';
import { type Clock, systemClock } from '../src/clock.js';
import { BusbarError } from '../src/errors.js';
import { type Logger, stderrLogger } from '../src/logger.js';
import { type HttpSecurityOptions, httpSecurity } from './http/secure.js';
import { startServers } from './http/servers.js';
import type { Pace } from './engine/pacing.js';
import { type Begun, beginRun, type KeepOptions } from './run/begin.js';
import { courseOf } from './run/course.js';
import { platformApiService } from './platform-api/service.js';
import type { PlatformApiOptions } from './platform-api/settings.js';
import type { WorldView } from './platform-api/world-view.js';
import { defaultStart, type PaceOptions, type PlanOptions, paceOf } from './run/plan.js';
import { openRecording } from './run/recording/open-recording.js';
import { type ReplayOptions, replaying } from './run/recording/replay.js';
import { planOf } from './run/recording/same-run.js';
import { type Run, type RunSummary, startRun } from './run/run.js';
import { worldAt } from './run/world-at.js';
import type { Sink } from './sinks/sink.js';

export { after, between, type Branches, type Steps, together, until } from './engine/scenario.js';
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
export type { Emission } from './run/emission.js';
export type { HttpSecurityOptions } from './http/secure.js';
export type { PlatformApiOptions } from './platform-api/settings.js';
export type { KeepOptions } from './run/begin.js';
export type { SentVersions } from './run/encode.js';
export type { FaultMask } from './run/faults/decide.js';
export type { FaultName, Faults } from './run/faults/settings.js';
export { truthOf } from './run/recording/same-run.js';
export type { ReplayOptions } from './run/recording/replay.js';
export type { Variation } from './run/vary/variations.js';
export { defaultStart, type PaceOptions, type PlanOptions } from './run/plan.js';
export type { Run, RunSummary } from './run/run.js';
export type { Shard } from './run/shard.js';
export { defineScenario, type EmitOptions, emit, type PlatformScenario } from './scenarios/define.js';
export { scenarios } from './scenarios/index.js';
export { type FileSinkOptions, fileSink } from './sinks/file.js';
export { type KafkaSinkOptions, kafkaSink } from './sinks/kafka.js';
export type { Sink } from './sinks/sink.js';
export { signature, type WebhookSinkOptions, webhookSink } from './sinks/webhook.js';

/** What the emulator plays, how fast, where it goes and what it leaves behind. */
export interface EmulatorOptions extends PlanOptions, PaceOptions, KeepOptions, SendOptions {
  /** Default: the built-in catalogue. */
  readonly catalogue?: Catalogue;
}

/** Where a run goes. */
export interface SendOptions extends HttpSecurityOptions {
  /** Where the run goes instead of to the emulator's own servers. */
  readonly sinks?: readonly Sink[];
  /** Port of the broker, on 127.0.0.1; 0 takes a free one, false does without. Default 9092, without where `sinks` are given. */
  readonly kafkaPort?: number | false;
  /** Port of the HTTP server, likewise. Default 4100. */
  readonly httpPort?: number | false;
  /** How the platform's REST API is served, on the HTTP server at `/v1/`. */
  readonly platformApi?: PlatformApiOptions;
  /**
   * Hold the run until a consumer group of that name has its partitions, or a consumer of that name, or that many
   * consumers, have attached to the stream: so that they miss nothing.
   */
  readonly waitForConsumer?: string | number;
  /** Begin paused, to be stepped or resumed. Default false. */
  readonly paused?: boolean;
  readonly clock?: Clock;
  readonly logger?: Logger;
}

export interface Emulator {
  /** What a Kafka client connects to: `127.0.0.1:9092`; undefined where there is no broker. */
  readonly bootstrapServers: string | undefined;
  /** Address of the HTTP server: `http://127.0.0.1:4100`; undefined where there is none. */
  readonly url: string | undefined;
  /** Where the page is. Where the server listens for other machines, it bears the access token; so does `streamUrl`. */
  readonly pageUrl: string | undefined;
  /** Address of the stream: `ws://127.0.0.1:4100/events`; undefined where there is none. */
  readonly streamUrl: string | undefined;
  /** Address of the REST API: `http://127.0.0.1:4100/v1/`; undefined where there is no HTTP server. */
  readonly apiUrl: string | undefined;
  /** The API keys that the REST API takes. */
  readonly apiKeys: readonly string[];
  /** Resolves when the last event has left every sink; the servers go on until `stop`. Rejects when the run fails. */
  readonly finished: Promise<RunSummary>;
  /** The run: pause, resume and step it, see how far it is, or stop it while the servers go on. */
  readonly run: Run;
  /** Ends the run and frees everything. Later calls wait for the first. */
  stop(): Promise<void>;
}

/**
 * Starts the emulator: a run of the scenarios and, unless `sinks` are given, the servers that it is sent to.
 * @throws BusbarError for a scenario, branch or option that does not exist, and for a port that is taken.
 * @example
 * const emulator = await startEmulator({ scenario: 'house-move', kafkaPort: 0, httpPort: 0 });
 * console.log(emulator.bootstrapServers, emulator.streamUrl);
 * await emulator.stop();
 */
export async function startEmulator(options: EmulatorOptions): Promise<Emulator> {
  const catalogue = options.catalogue ?? openCatalogue();
  const pace = paceOf(options);
  const recording = options.record ?? options.resume;
  const afterFailure =
    recording === undefined
      ? 'Record a run with --record FILE to be able to go on with it.'
      : `Go on with it by: emulate --resume ${JSON.stringify(recording)}.`;
  return send(await beginRun(options, catalogue), pace, afterFailure, {
    ...options,
    world: options,
    catalogue,
  });
}

/** A recording to send again, which part of it, how fast, and where it goes. */
export interface ReplayRecordingOptions extends ReplayOptions, PaceOptions, SendOptions {
  readonly file: string;
}

/**
 * Sends what a run has recorded with `record` again: the same bytes, keys and headers, in the same order.
 * @throws BusbarError `invalid-recording` for a file that is none, `file-failed` for one that cannot be read.
 */
export async function replayRecording(options: ReplayRecordingOptions): Promise<Emulator> {
  const pace = paceOf(options);
  const recording = await openRecording(options.file);
  const source = replaying(recording, options, options.logger ?? stderrLogger);
  const afterFailure = 'Replay the rest with --from and that time.';
  return send({ source, recorder: undefined }, pace, afterFailure, {
    ...options,
    world: planOf(recording),
    catalogue: openCatalogue(),
  });
}

/** What is sent how; `world` is what a run was planned with, undefined for a recording that does not say. */
async function send(
  begun: Begun,
  pace: Pace,
  afterFailure: string,
  options: SendOptions & { readonly world: PlanOptions | undefined; readonly catalogue: Catalogue },
): Promise<Emulator> {
  const { clock = systemClock, logger = stderrLogger, world: plan } = options;
  const { source, recorder } = begun;
  const elsewhere = options.sinks !== undefined;
  const history = plan && worldAt(plan);
  const now = () => run.reached ?? plan?.start ?? defaultStart;
  const world: WorldView = {
    now,
    accountAt: (number, at = now()) => history?.accountAt(number, at),
    instantOf: (eventId) => history?.instantOf(eventId),
  };
  const httpPort = options.httpPort ?? (elsewhere ? false : 4100);
  const start = async () => {
    requireHttp(httpPort, options);
    const api = platformApiService(options.platformApi ?? {}, {
      seed: plan?.seed ?? 1,
      world,
      clock,
      logger,
    });
    const servers = await startServers({
      kafkaPort: options.kafkaPort ?? (elsewhere ? false : 9092),
      httpPort,
      ...(await httpSecurity(options)),
      services: [api.service],
      clock,
      logger,
    });
    return { servers, apiKeys: api.apiKeys };
  };
  const { servers, apiKeys } = await start().catch(async (error: unknown) => {
    await source.close();
    await recorder?.close();
    throw error;
  });
  const own = [...(options.sinks ?? []), ...(recorder === undefined ? [] : [recorder])];
  const awaited = options.waitForConsumer;
  const run = startRun({
    source,
    pace,
    // What is recorded has been sent: the recorder comes last.
    sinks: [...(options.sinks ?? []), ...servers.sinks, ...(recorder === undefined ? [] : [recorder])],
    clock,
    paused: options.paused ?? false,
    afterFailure,
    ...(awaited !== undefined && servers.sinks.length > 0 && { ready: servers.waitForConsumer(awaited) }),
  });

  if (servers.http !== undefined) {
    const { dashboard } = await import('./dashboard/dashboard.js');
    const course = (cell: number) => plan && courseOf(plan, cell, now());
    servers.http.app.use(dashboard({ catalogue: options.catalogue, course }));
  }

  let stopping: Promise<void> | undefined;
  const stop = async () => {
    await run.stop().catch(() => undefined);
    for (const sink of own) await sink.close();
    await servers.stop();
  };
  return {
    bootstrapServers: servers.bootstrapServers,
    url: servers.url,
    pageUrl: servers.pageUrl,
    streamUrl: servers.streamUrl,
    apiUrl: servers.url && `${servers.url}/v1/`,
    apiKeys,
    finished: run.finished,
    run,
    stop: () => (stopping ??= stop()),
  };
}

function requireHttp(httpPort: number | false, options: SendOptions): void {
  const about = ['host', 'https', 'tlsCert', 'tlsKey', 'insecure', 'platformApi'] as const;
  const idle = about.find((name) => options[name] !== undefined);
  if (httpPort !== false || idle === undefined) return;
  throw new BusbarError('invalid-option', `Option "${idle}" is about the HTTP server: add "httpPort".`);
}
