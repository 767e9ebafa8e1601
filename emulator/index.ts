import { type Catalogue, openCatalogue } from '../catalogue/index.js';
import { type Clock, systemClock } from '../src/clock.js';
import { BusbarError } from '../src/errors.js';
import { type Logger, stderrLogger } from '../src/logger.js';
import type { Instant } from './engine/time.js';
import { type HttpSecurityOptions, httpSecurity } from './http/secure.js';
import type { DashboardOptions } from './dashboard/dashboard.js';
import type { ControlApiOptions } from './control-api/index.js';
import type { HttpServer } from './http/server.js';
import { type Servers, startServers } from './http/servers.js';
import { platformApiService } from './platform-api/service.js';
import type { PlatformApiOptions } from './platform-api/settings.js';
import type { WorldView } from './platform-api/world-view.js';
import type { KeepOptions } from './run/begin.js';
import { loadScenarios } from './run/load-scenario.js';
import { defaultStart, type PaceOptions, type PlanOptions, paceOf } from './run/plan.js';
import { inputsIn } from './run/recording/input-log.js';
import { openRecording, type Recording } from './run/recording/open-recording.js';
import { type ReplayOptions, replaying } from './run/recording/replay.js';
import { planOf } from './run/recording/same-run.js';
import { type Run, type RunSummary, startRun } from './run/run.js';
import { openSession, type Session } from './run/session.js';
import { type WorldAt, worldAt } from './run/world-at.js';
import type { PlatformScenario } from './scenarios/define.js';
import { scenarios } from './scenarios/index.js';
import { type ConsumedOptions, consumed } from './sinks/consumed.js';
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
export type {
  ImportSupplier,
  SupplierBehaviours,
  SupplierChanges,
  SupplierStatus,
} from './run/import-suppliers.js';
export type { Input, InputContent } from './run/inputs.js';
export type { ResetOptions, Session, Started, StartOptions } from './run/session.js';
export type { Sampled, TriggerOptions } from './run/trigger.js';
export { truthOf } from './run/recording/same-run.js';
export type { ReplayOptions } from './run/recording/replay.js';
export type { Variation } from './run/vary/variations.js';
export { defaultStart, type PaceOptions, type PlanOptions } from './run/plan.js';
export type { Run, RunSummary } from './run/run.js';
export type { Shard } from './run/shard.js';
export { defineScenario, type EmitOptions, emit, type PlatformScenario } from './scenarios/define.js';
export { scenarios };
export * as changes from './world/changes/index.js';
export type { ConsumedOptions } from './sinks/consumed.js';
export { type FileSinkOptions, fileSink } from './sinks/file.js';
export { type KafkaSinkOptions, kafkaSink } from './sinks/kafka.js';
export type { Sink } from './sinks/sink.js';
export { signature, type WebhookSinkOptions, webhookSink } from './sinks/webhook.js';

/** What the emulator plays, how fast, where it goes and what it leaves behind. */
export interface EmulatorOptions extends PlanOptions, PaceOptions, KeepOptions, SendOptions {
  /** Default: the built-in catalogue. */
  readonly catalogue?: Catalogue;
  /**
   * Whether things may come in from outside: triggers, scenarios, faults. An open run does not end but idles, and keeps
   * every household that it has touched in memory. Default: where the emulator has servers of its own.
   */
  readonly open?: boolean;
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

/** A run that is sent, and the servers that it is sent to. */
export interface Playback {
  /** What a Kafka client connects to: `127.0.0.1:9092`; undefined where there is no broker. */
  readonly bootstrapServers: string | undefined;
  /** The port of it. */
  readonly kafkaPort: number | undefined;
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
  /**
   * Waits for a service of yours on the broker: resolves when nothing is left to be sent and the consumer group has
   * committed up to the end of every partition.
   * @throws BusbarError `not-consumed`, which says what is missing and what the members do
   */
  consumed(options: ConsumedOptions): Promise<void>;
  /** Ends the run and frees everything. Later calls wait for the first. */
  stop(): Promise<void>;
}

/** A playback of scenarios that can be steered from the same process: what the control API offers others. */
export interface Emulator extends Playback, Omit<Session, 'run' | 'stop' | 'reset'> {
  /** The present virtual instant, in milliseconds since the epoch. */
  readonly now: Instant;
  /** Moves virtual time forward to that instant: all that is due until then is sent at once. */
  advance(to: Instant): Promise<Instant>;
  /** Resolves when nothing is left to be sent, for now. */
  settled(): Promise<void>;
  /** Stops the run and begins another, on the same servers. `finished` goes on being about the first. */
  readonly reset: Session['reset'];
}

/**
 * Starts the emulator: a run of the scenarios and, unless `sinks` are given, the servers that it is sent to.
 * @throws BusbarError for a scenario, branch or option that does not exist, and for a port that is taken.
 * @example
 * const emulator = await startEmulator({ scenario: 'house-move', kafkaPort: 0, httpPort: 0 });
 * console.log(emulator.bootstrapServers, emulator.streamUrl);
 * await emulator.stop();
 */
export async function startEmulator(options: EmulatorOptions = {}): Promise<Emulator> {
  const { clock = systemClock, speed, rate, paused = false, catalogue = openCatalogue() } = options;
  const pace = { ...(speed !== undefined && { speed }), ...(rate !== undefined && { rate }) };
  paceOf(pace);
  const present = () => session;
  const world = sessionWorld(present);
  let serving: Serving | undefined;
  const ports = portsOf(options);
  const session: Session = await openSession({
    plan: options,
    pace,
    catalogue,
    connect: async () => {
      serving = await serve(options, { world, session: present });
      const { servers } = serving;
      return { sinks: [...(options.sinks ?? []), ...servers.sinks], ...readiness(servers, options) };
    },
    clock,
    isOpen: options.open ?? (ports.kafkaPort !== false || ports.httpPort !== false),
    paused,
  });
  if (serving === undefined) throw new Error('a session connects');
  const { http } = serving.servers;
  if (http !== undefined) {
    await steer(http, { session, ...serving.servers });
    await showPage(http, {
      catalogue,
      world,
      plan: () => session.plan,
      scenarios: () => [...ownScenarios(session.plan), ...scenarios],
    });
  }
  const { finished } = session.run;
  return {
    ...session,
    ...playback(serving, options, { run: () => session.run, finished, end: () => session.stop() }),
    get run() {
      return session.run;
    },
    get now() {
      return session.run.now;
    },
    get plan() {
      return session.plan;
    },
    get generation() {
      return session.generation;
    },
    get pace() {
      return session.pace;
    },
    advance: (to) => session.run.advance(to),
    settled: () => session.run.settled(),
  };
}

/** A recording to send again, which part of it, how fast, and where it goes. */
export interface ReplayRecordingOptions extends ReplayOptions, PaceOptions, SendOptions {
  readonly file: string;
}

/**
 * Sends what a run has recorded with `record` again: the same bytes, keys and headers, in the same order.
 * @throws BusbarError `invalid-recording` for a file that is none, `file-failed` for one that cannot be read.
 */
export async function replayRecording(options: ReplayRecordingOptions): Promise<Playback> {
  const { clock = systemClock, logger = stderrLogger } = options;
  const pace = paceOf(options);
  const recording = await openRecording(options.file);
  const source = replaying(recording, options, logger);
  const plan = portsOf(options).httpPort === false ? undefined : await recordedPlan(options.file, recording);
  const history = plan && worldAt(() => plan);
  const now = () => run.now;
  const world: WorldView = {
    seed: () => plan?.seed ?? 1,
    now,
    accountAt: (number, at = now()) => history?.accountAt(number, at),
    instantOf: (eventId) => history?.instantOf(eventId),
  };
  const serving = await serve(options, { world, session: undefined }).catch(async (error: unknown) => {
    await source.close();
    throw error;
  });
  const { servers } = serving;
  if (servers.http !== undefined) {
    await steer(servers.http, { session: undefined, ...servers });
    await showPage(servers.http, {
      catalogue: openCatalogue(),
      world,
      plan: () => plan,
      scenarios: () => [],
    });
  }
  const run: Run = startRun({
    source,
    pace,
    start: plan?.start ?? defaultStart,
    sinks: [...(options.sinks ?? []), ...servers.sinks],
    clock,
    paused: options.paused ?? false,
    afterFailure: 'Replay the rest with --from and that time.',
    ...readiness(servers, options),
  });
  const end = () => run.stop().catch(() => undefined);
  return { ...playback(serving, options, { run: () => run, finished: run.finished, end }), run };
}

interface Serving {
  readonly servers: Servers;
  readonly apiKeys: readonly string[];
}

/** What the REST API answers from. */
interface Behind {
  readonly world: WorldView;
  readonly session: (() => Session) | undefined;
}

async function serve(options: SendOptions, behind: Behind): Promise<Serving> {
  const { clock = systemClock, logger = stderrLogger } = options;
  const ports = portsOf(options);
  requireHttp(ports.httpPort, options);
  const api = platformApiService(options.platformApi ?? {}, { ...behind, clock, logger });
  const security = await httpSecurity(options);
  const servers = await startServers({ ...ports, ...security, services: [api.service], clock, logger });
  return { servers, apiKeys: api.apiKeys };
}

/** Those of the user, which no command knows by name. */
function ownScenarios({ scenario }: PlanOptions): readonly PlatformScenario[] {
  return [scenario ?? []].flat().filter((each) => typeof each !== 'string');
}

async function steer({ app, guard }: HttpServer, under: Omit<ControlApiOptions, 'guard'>): Promise<void> {
  const { controlApi } = await import('./control-api/index.js');
  app.use('/emulator/v1', controlApi({ ...under, guard }));
}

async function showPage({ app }: HttpServer, options: DashboardOptions): Promise<void> {
  const { dashboard } = await import('./dashboard/dashboard.js');
  app.use(dashboard(options));
}

/** The world of whatever run the session has got to. */
function sessionWorld(session: () => Session): WorldView {
  let generation: number | undefined;
  let world: WorldAt | undefined;
  const present = () => {
    if (world === undefined || generation !== session().generation) {
      ({ generation } = session());
      world = worldAt(() => session().plan);
    }
    return world;
  };
  const now = () => session().run.now;
  return {
    seed: () => session().plan.seed ?? 1,
    now,
    accountAt: (number, at = now()) => present().accountAt(number, at),
    instantOf: (eventId) => present().instantOf(eventId),
  };
}

/** What a recording was played from; undefined where it does not say, or its scenario file is gone: then nobody knows its world. */
async function recordedPlan(file: string, recording: Recording): Promise<PlanOptions | undefined> {
  const plan = planOf(recording);
  const scenario = await loadScenarios(plan?.scenario ?? []).catch(() => undefined);
  if (plan === undefined || scenario === undefined) return undefined;
  return { ...plan, scenario, inputs: await inputsIn(file) };
}

function portsOf({ sinks, kafkaPort, httpPort }: SendOptions) {
  const elsewhere = sinks !== undefined;
  return {
    kafkaPort: kafkaPort ?? (elsewhere ? false : 9092),
    httpPort: httpPort ?? (elsewhere ? false : 4100),
  };
}

function readiness(
  servers: Servers,
  { waitForConsumer: awaited }: SendOptions,
): { readonly ready?: Promise<void> } {
  return awaited !== undefined && servers.sinks.length > 0 ? { ready: servers.waitForConsumer(awaited) } : {};
}

interface Played {
  readonly run: () => Run;
  readonly finished: Promise<RunSummary>;
  readonly end: () => Promise<unknown>;
}

function playback(
  { servers, apiKeys }: Serving,
  { sinks = [], clock = systemClock }: SendOptions,
  { run, finished, end }: Played,
): Omit<Playback, 'run'> {
  const { broker } = servers;
  const stopping = new AbortController();
  let stopped: Promise<void> | undefined;
  const stop = async () => {
    stopping.abort();
    await end();
    for (const sink of sinks) await sink.close();
    await servers.stop();
  };
  return {
    bootstrapServers: broker?.bootstrapServers,
    kafkaPort: broker?.broker.port,
    url: servers.url,
    pageUrl: servers.pageUrl,
    streamUrl: servers.streamUrl,
    apiUrl: servers.url && `${servers.url}/v1/`,
    apiKeys,
    finished,
    async consumed(wanted) {
      if (broker !== undefined) {
        await consumed(wanted, { broker: broker.broker, run: run(), clock, stopping: stopping.signal });
        return;
      }
      throw new BusbarError('invalid-option', 'consumed() is about the broker: add "kafkaPort".');
    },
    stop: () => (stopped ??= stop()),
  };
}

function requireHttp(httpPort: number | false, options: SendOptions): void {
  const about = ['host', 'https', 'tlsCert', 'tlsKey', 'insecure', 'platformApi'] as const;
  const idle = about.find((name) => options[name] !== undefined);
  if (httpPort !== false || idle === undefined) return;
  throw new BusbarError('invalid-option', `Option "${idle}" is about the HTTP server: add "httpPort".`);
}
