import { type Catalogue, openCatalogue } from '../catalogue/index.js';
import { type Clock, systemClock } from '../src/clock.js';
import { BusbarError } from '../src/errors.js';
import { type Logger, stderrLogger } from '../src/logger.js';
import { subprotocol } from '../src/transports/websocket-protocol.js';
import { london } from './engine/calendar.js';
import { ordering, type Ordering } from './engine/identity.js';
import { instantPace, linearPace, type Pace, ratePace, storyPace } from './engine/pacing.js';
import { type Occurred, simulate } from './engine/simulation.js';
import { createHttpServer, type HttpServer } from './http/server.js';
import { encoder } from './run/encode.js';
import { type Run, type RunSummary, startRun } from './run/run.js';
import { type Shard, shardFilter } from './run/shard.js';
import { instanceStarts } from './run/starts.js';
import type { PlatformScenario } from './scenarios/define.js';
import { findScenario, forceBranches } from './scenarios/find.js';
import type { Sink } from './sinks/sink.js';
import { type WebSocketSink, websocketSink } from './sinks/websocket.js';
import { openCell, type World } from './world/cell.js';
import { cellsPerWorld, identifiers } from './world/identifiers.js';

export type { Pace } from './engine/pacing.js';
export { after, between, type Branches, type Steps, together, until } from './engine/scenario.js';
export type { Emission } from './run/emission.js';
export type { Run, RunSummary } from './run/run.js';
export type { Shard } from './run/shard.js';
export { defineScenario, emit, type PlatformScenario } from './scenarios/define.js';
export { scenarios } from './scenarios/index.js';
export type { Sink } from './sinks/sink.js';

export interface EmulatorOptions {
  /** What happens: names of built-in scenarios, or scenarios made with `defineScenario`. */
  readonly scenario: string | PlatformScenario | readonly (string | PlatformScenario)[];
  /** Default 1. The same seed gives the same bytes. */
  readonly seed?: number;
  /** How many of each scenario, each in a household of its own. Default 1. */
  readonly instances?: number;
  /** The virtual instant at which the run begins, in milliseconds since the epoch. Default {@link defaultStart}. */
  readonly start?: number;
  /**
   * How virtual time passes: `story` (the default) shows every gap in a time that grows with its logarithm, at most
   * five seconds; a number is so many times as fast as the wall clock; `instant` is as fast as the sinks take it.
   */
  readonly speed?: number | 'instant' | 'story';
  /** Events a second, whatever virtual time passes between them; instead of `speed`. */
  readonly rate?: number;
  /** Begin paused, to be stepped or resumed. Default false. */
  readonly paused?: boolean;
  /** Virtual instant at which the run ends, in milliseconds since the epoch. Default: with its last event. */
  readonly until?: number;
  /** How much virtual time the run covers, in milliseconds; instead of `until`. */
  readonly duration?: number;
  /** Play only this share of the run, `index` from 1 to `count`; the shares of one run, merged by id, are the run. */
  readonly shard?: Shard;
  /** Outcomes of branches, instead of drawing them: `{ account: 'new' }`. */
  readonly branches?: Readonly<Record<string, string>>;
  /** Salts the event ids, for consumers that remember those of an earlier run. Default none. */
  readonly runId?: string;
  /** Where the run goes instead of to the emulator's own servers. */
  readonly sinks?: readonly Sink[];
  /** Port of the HTTP server, on 127.0.0.1; 0 takes a free one. Default 4100, or no server where `sinks` are given. */
  readonly httpPort?: number;
  /** Hold the run until the consumer of that name, or that many consumers, have attached to the stream. */
  readonly waitForConsumer?: string | number;
  /** Default: the built-in catalogue. */
  readonly catalogue?: Catalogue;
  readonly clock?: Clock;
  readonly logger?: Logger;
}

export interface Emulator {
  /** Address of the HTTP server: `http://127.0.0.1:4100`; undefined where there is none. */
  readonly url: string | undefined;
  /** Address of the stream: `ws://127.0.0.1:4100/events`; undefined where there is none. */
  readonly streamUrl: string | undefined;
  /** Resolves when the last event has left every sink; the servers go on until `stop`. Rejects when the run fails. */
  readonly finished: Promise<RunSummary>;
  /** The run: pause, resume and step it, see how far it is, or stop it while the servers go on. */
  readonly run: Run;
  /** Ends the run and frees everything. Later calls wait for the first. */
  stop(): Promise<void>;
}

/** Monday 2 March 2026, 09:00 in London: a working day four weeks before summer time. */
export const defaultStart = Date.UTC(2026, 2, 2, 9);

/**
 * Starts the emulator: a run of the scenarios and, unless `sinks` are given, the servers that it is sent to.
 * @throws BusbarError for a scenario, branch or option that does not exist, and for a port that is taken.
 * @example
 * const emulator = await startEmulator({ scenario: 'house-move', httpPort: 0 });
 * await run(websocket({ url: emulator.streamUrl }));
 * await emulator.stop();
 */
export async function startEmulator(options: EmulatorOptions): Promise<Emulator> {
  const { seed = 1, clock = systemClock, logger = stderrLogger, catalogue = openCatalogue() } = options;
  const order = ordering(seed, options.runId);
  const occurrences = plan(options, seed, order);
  const pace = paceOf(options);

  const httpPort = options.httpPort ?? (options.sinks === undefined ? 4100 : undefined);
  const server = httpPort === undefined ? undefined : await serve(httpPort, clock, logger);
  const sinks = [...(options.sinks ?? []), ...(server === undefined ? [] : [server.stream])];
  const awaited = options.waitForConsumer;
  const run = startRun({
    occurrences,
    encode: encoder(catalogue, order),
    pace,
    sinks,
    clock,
    paused: options.paused ?? false,
    ...(awaited !== undefined && server !== undefined && { ready: server.stream.waitForConsumer(awaited) }),
  });

  let stopping: Promise<void> | undefined;
  return {
    url: server?.http.url,
    streamUrl: server && `${server.http.url.replace(/^http/, 'ws')}${streamPath}`,
    finished: run.finished,
    run,
    stop() {
      stopping ??= (async () => {
        await run.stop().catch(() => undefined);
        for (const sink of sinks) await sink.close();
        await server?.http.stop();
      })();
      return stopping;
    },
  };
}

const streamPath = '/events';

async function serve(
  port: number,
  clock: Clock,
  logger: Logger,
): Promise<{ http: HttpServer; stream: WebSocketSink }> {
  const stream = await websocketSink({ clock, logger });
  const about = `the stream of events, as WebSocket with subprotocol ${subprotocol}`;
  const http = await createHttpServer({
    port,
    services: [{ path: streamPath, about, upgrade: stream.upgrade }],
  });
  return { http, stream };
}

/** What will happen, without any of it happening yet. */
function plan(options: EmulatorOptions, seed: number, order: Ordering): Generator<Occurred, void, void> {
  const { instances = 1, start = defaultStart, branches = {} } = options;
  requireWhole('seed', seed, Number.MIN_SAFE_INTEGER, Number.MAX_SAFE_INTEGER);
  requireWhole('start', start, 0, Date.UTC(2100, 0, 1));
  const wanted = [options.scenario]
    .flat()
    .map((each) => (typeof each === 'string' ? findScenario(each) : each));
  if (wanted.length === 0) throw new BusbarError('invalid-option', 'A run needs at least one scenario.');
  requireWhole('instances', instances, 1, Math.floor((cellsPerWorld - 1) / wanted.length));

  const world: World = { seed, identifiers: identifiers(seed), today: london.dayAt(start) };
  const until = options.until ?? (options.duration === undefined ? Infinity : start + options.duration);
  if (!(until > start))
    throw new BusbarError('invalid-option', 'A run must end after it begins: see "until" and "duration".');
  const inShard = shardFilter(options.shard);
  const starts = instanceStarts({ seed, start, calendar: london, scenarios: wanted, instances });
  return simulate({
    seed,
    until,
    ordering: order,
    calendar: london,
    starts: filter(starts, ({ cell }) => inShard(cell)),
    openCell: ({ cell, scenario }) => openCell(world, cell, scenario.setting),
    forced: forceBranches(wanted, branches),
  });
}

function* filter<T>(all: Iterable<T>, wanted: (each: T) => boolean): Generator<T, void, void> {
  for (const each of all) if (wanted(each)) yield each;
}

function paceOf({ speed = 'story', rate }: EmulatorOptions): Pace {
  if (rate !== undefined) {
    if (Number.isFinite(rate) && rate > 0) return ratePace(rate);
    throw new BusbarError('invalid-option', `Option "rate" must be greater than 0, not ${rate}.`);
  }
  if (speed === 'instant') return instantPace;
  if (speed === 'story') return storyPace;
  if (Number.isFinite(speed) && speed > 0) return linearPace(speed);
  throw new BusbarError('invalid-option', `Option "speed" must be greater than 0, not ${speed}.`);
}

function requireWhole(option: string, value: number, least: number, most: number): void {
  if (Number.isInteger(value) && value >= least && value <= most) return;
  const message = `Option "${option}" must be a whole number from ${least} to ${most}, not ${value}.`;
  throw new BusbarError('invalid-option', message);
}
