import { nonEmptyText, type OptionTable, whole } from '../../src/base/options.js';
import { planOptions } from '../run/options.js';
import type { Catalogue } from '../../catalogue/index.js';
import { type Clock, systemClock, type VirtualClock } from '../../src/base/clock.js';
import type { Logger } from '../../src/base/logger.js';
import type { Instant } from '../engine/time.js';
import { createHttpServer, type HttpServer } from '../http/server.js';
import type { HttpService } from '../http/service.js';
import { platformApiService } from '../platform-api/service.js';
import { type Faults, readFaults } from '../run/faults/settings.js';
import { cellAt, type PlanOptions } from '../run/plan.js';
import { openSession, type Session, type Started } from '../run/session.js';
import { type WorldAt, worldAt } from '../run/world-at.js';
import type { Sink } from '../sinks/sink.js';
import type { Account } from '../world/cell.js';

/** The truth behind the events that were played, at the bench's present instant unless another is asked for. */
export interface BenchWorld {
  /** In virtual milliseconds since the epoch. */
  readonly now: Instant;
  /** Every account of every household and business that something was played in. */
  accounts(at?: Instant): readonly Account[];
  /** The account of that number; undefined where nothing that was played has one by then. */
  account(number: string, at?: Instant): Account | undefined;
}

/** What is played, and how often. */
export interface PlayOptions {
  /** Outcomes of branches, instead of drawing them: `{ account: 'new' }`. */
  readonly branch?: Readonly<Record<string, string>>;
  /** What goes wrong on the way, while this is played: `duplicate=1%,reorder=2%:30s`. Default nothing. */
  readonly faults?: Faults;
  /** How many, each in a household of its own. Default 1. */
  readonly instances?: number;
  /** The account whose household it happens to. Default: a new one. */
  readonly account?: string;
}

/** {@link PlayOptions}, as a table. */
export const playOptions = {
  branch: planOptions.branches,
  faults: planOptions.faults,
  // Each is an input of the session, which keeps a log of them.
  instances: { type: whole({ from: 1, to: 10_000 }), default: 1 },
  account: { type: nonEmptyText },
} satisfies OptionTable<PlayOptions>;

export interface RestApi {
  /** `http://127.0.0.1:49152/v1/` */
  readonly url: string;
  /** The user name of HTTP basic authentication. */
  readonly apiKey: string;
}

export interface PlayedWorldOptions {
  readonly catalogue: Catalogue;
  readonly seed: number;
  readonly start: Instant;
  readonly clock: VirtualClock;
  readonly logger: Logger;
  /** Gets what is played, in order. */
  readonly sink: Sink;
}

interface Played {
  readonly started: readonly Started[];
  readonly until: Instant;
}

/** The world that scenarios are played in, made when it is first needed. */
export class PlayedWorld {
  readonly view: BenchWorld;
  readonly #options: PlayedWorldOptions;
  readonly #cells = new Set<number>();
  #session: Promise<Session> | undefined;
  #plan: () => PlanOptions;
  #worldAt: WorldAt;
  #server: Promise<{ readonly http: HttpServer; readonly api: RestApi }> | undefined;

  constructor(options: PlayedWorldOptions) {
    const { seed, start, clock } = options;
    this.#options = options;
    this.#plan = () => ({ seed, start });
    this.#worldAt = worldAt(() => this.#plan());
    this.view = worldOf({ plan: () => this.#plan(), cells: this.#cells, worldAt: this.#worldAt, clock });
  }

  /**
   * Plays to the end; the sink has taken everything by then. `until` is when the last thing happened, sent or not.
   * @throws BusbarError see `Session.start`
   */
  async play(scenario: string, options: PlayOptions): Promise<Played> {
    const { branch, faults, instances = 1, account } = options;
    // Before anything is started: it could not be taken back.
    if (faults !== undefined) readFaults(faults);
    const session = await (this.#session ??= this.#open());
    // Retries may have moved the clock on since the last event that was played.
    await session.run.advance(this.#options.clock.now());
    // At rest, so that the rest which is waited for below is the one after what starts now.
    await session.run.settled();
    const chosen = { ...(branch && { branches: branch }), ...(account !== undefined && { account }) };
    const started = Array.from({ length: instances }, () => session.start(scenario, chosen));
    if (faults !== undefined) session.setFaults(faults);
    for (const { cell } of started) this.#cells.add(cell);
    await session.run.settled();
    if (faults !== undefined) session.setFaults(null);
    return { started, until: session.run.now };
  }

  async restApi(): Promise<RestApi> {
    return (await (this.#server ??= this.#serve())).api;
  }

  async stop(): Promise<void> {
    await (await this.#session)?.stop();
    await (await this.#server)?.http.stop();
  }

  async #open(): Promise<Session> {
    const { catalogue, seed, start, sink } = this.#options;
    const session = await openSession({
      plan: { seed, start },
      pace: { speed: 'instant' },
      catalogue,
      connect: () => Promise.resolve({ sinks: [sink] }),
      // Nothing waits on it at that pace; virtual time is the bench's affair.
      clock: systemClock,
      isOpen: true,
      paused: false,
    });
    this.#plan = () => session.plan;
    return session;
  }

  async #serve() {
    const { seed, clock, logger } = this.#options;
    const world = {
      seed: () => seed,
      now: () => clock.now(),
      accountAt: (number: string, at = clock.now()) => this.#worldAt.accountAt(number, at),
      instantOf: (eventId: string) => this.#worldAt.instantOf(eventId),
    };
    // A handler that asks runs meanwhile, so the bench's clock stands still: the server lives on the wall's.
    const parts = { world, session: undefined, clock: systemClock, logger };
    return serveRestApi(platformApiService({ apiKeys: [restApiKey] }, parts).service, logger);
  }
}

/** The truth in those cells of what a plan plays. */
export function worldOf(parts: {
  readonly plan: () => PlanOptions;
  readonly cells: Iterable<number>;
  readonly worldAt: WorldAt;
  readonly clock: Clock;
}): BenchWorld {
  const { plan, cells, worldAt, clock } = parts;
  return {
    get now() {
      return clock.now();
    },
    accounts: (at = clock.now()) => [...cells].flatMap((cell) => cellAt(plan(), cell, at).accounts),
    account: (number, at = clock.now()) => worldAt.accountAt(number, at)?.account,
  };
}

/** Serves the platform's REST API, made with {@link restApiKey}, on a free port of 127.0.0.1. */
export async function serveRestApi(
  service: HttpService,
  logger: Logger,
): Promise<{ readonly http: HttpServer; readonly api: RestApi }> {
  const http = await createHttpServer({ port: 0, services: [service], logger });
  return { http, api: { url: `${http.url}${service.path}/`, apiKey: restApiKey } };
}

export const restApiKey = 'sk_test_bench';
