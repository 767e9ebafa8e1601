import {
  type Clock,
  type Filled,
  nonEmptyText,
  type OptionTable,
  systemClock,
  type VirtualClock,
  whole,
} from 'busbar/base';
import type { Catalogue } from 'busbar/catalogue';
import { configuredScenarios } from '../run/configured.js';
import { planOptions } from '../run/options.js';
import type { Instant } from '../engine/time.js';
import { type Faults, readFaults } from '../run/faults/settings.js';
import { Plan } from '../run/plan.js';
import { openSession, type Session } from '../run/session.js';
import type { Sink } from '../run/sink.js';
import type { Account } from '../world/cell.js';
import { FakeRestApi } from './verify/fake-rest-api.js';

/** The ground truth behind the played events. `at` defaults to the bench's current virtual time. */
export interface BenchWorld {
  /** Current virtual time, in milliseconds since the epoch. */
  readonly now: Instant;
  /** Returns every account of the households and businesses in which a scenario was played. */
  accounts(at?: Instant): readonly Account[];
  /** Returns the account with this number, or undefined if no played scenario has created it by then. */
  account(number: string, at?: Instant): Account | undefined;
}

/** Options of {@link TestBench.play}. */
export interface PlayOptions {
  /** Fixed outcomes of branches, e.g. `{ account: 'new' }`. Other branches are drawn. */
  readonly branch?: Readonly<Record<string, string>>;
  /** Faults injected during this play, e.g. `duplicate=1%,reorder=2%:30s`. Default: none. */
  readonly faults?: Faults;
  /** Number of instances, each in a household of its own. Default 1. */
  readonly instances?: number;
  /** Account number of the household to play in. Default: a new household. */
  readonly account?: string;
}

export const playOptions = {
  branch: planOptions.branches,
  faults: planOptions.faults,
  // Each is an input of the session, which keeps a log of them.
  instances: { type: whole({ from: 1, to: 10_000 }), default: 1 },
  account: { type: nonEmptyText },
} satisfies OptionTable<PlayOptions>;

interface PlayedWorldOptions {
  readonly openCatalogue: () => Promise<Catalogue>;
  readonly seed: number;
  readonly start: Instant;
  readonly clock: VirtualClock;
  /** Sink that receives the played events in order. */
  readonly sink: Sink;
}

/** A simulated world for scenarios, opened by the first play. */
export class PlayedWorld {
  readonly view: BenchWorld;
  readonly #options: PlayedWorldOptions;
  readonly #cells = new Set<number>();
  #session: Promise<Session> | undefined;
  #plan: Plan;
  readonly #rest: FakeRestApi;

  constructor(options: PlayedWorldOptions) {
    const { seed, start, clock } = options;
    this.#options = options;
    this.#plan = new Plan({ seed, start });
    this.#rest = new FakeRestApi(seed);
    this.#rest.answerFrom(this.#plan, clock);
    this.view = benchWorld(() => this.#plan, this.#cells, clock);
  }

  /**
   * Plays a scenario to its end. Resolves after the sink has accepted every event. `until` is the time of the last
   * occurrence, sent or not.
   * @throws BusbarError as `Session.start`
   */
  async play(scenario: string, options: Filled<PlayOptions, typeof playOptions>) {
    const { branch, faults, instances, account } = options;
    // Validated first: a started instance cannot be cancelled.
    if (faults !== undefined) readFaults(faults);
    const session = await (this.#session ??= this.#open());
    // Retries may have advanced the clock since the last played event.
    await session.run.advance(this.#options.clock.now());
    // Idle before the start, so the wait below is for the new instances.
    await session.run.idle();
    const chosen = { ...(branch && { branches: branch }), ...(account !== undefined && { account }) };
    const started = Array.from({ length: instances }, () => session.start(scenario, chosen));
    if (faults !== undefined) session.setFaults(faults);
    for (const { cell } of started) this.#cells.add(cell);
    await session.run.idle();
    if (faults !== undefined) session.setFaults(null);
    return { started, until: session.run.now };
  }

  get restApi(): FakeRestApi['restApi'] {
    return this.#rest.restApi;
  }

  async stop(): Promise<void> {
    // The first play has rejected with the error of its session.
    const session = await this.#session?.catch(() => undefined);
    await session?.stop();
    await this.#rest.stop();
  }

  async #open(): Promise<Session> {
    const { openCatalogue, seed, start, sink, clock } = this.#options;
    const session = await openSession({
      plan: { seed, start, scenarios: await configuredScenarios() },
      pace: { speed: 'instant' },
      catalogue: await openCatalogue(),
      connect: () => Promise.resolve({ sinks: [sink] }),
      // Nothing waits on this clock at that pace: the bench advances virtual time.
      clock: systemClock,
      isOpen: true,
      paused: false,
    });
    this.#plan = session.played;
    this.#rest.answerFrom(this.#plan, clock);
    return session;
  }
}

/** Returns the ground truth of these cells of a plan. */
export function benchWorld(plan: () => Plan, cells: Iterable<number>, clock: Clock): BenchWorld {
  return {
    get now() {
      return clock.now();
    },
    accounts: (at = clock.now()) => [...cells].flatMap((cell) => plan().cell(cell, at).accounts),
    account: (number, at = clock.now()) => plan().account(number, at)?.account,
  };
}
