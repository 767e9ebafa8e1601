import { type Catalogue, openCatalogue } from '../../catalogue/index.js';
import { boolean, catalogueObject, checkOptions, type OptionTable } from '../../src/base/options.js';
import { systemClock } from '../../src/base/clock.js';
import type { Instant } from '../engine/time.js';
import type { KeepOptions } from '../run/begin.js';
import { keepOptions, paceOptions, planOptions } from '../run/options.js';
import { type PaceOptions, paceOf } from '../run/pace.js';
import type { PlanOptions } from '../run/plan.js';
import { openSession, type Session } from '../run/session.js';
import type { PlatformScenario } from '../scenarios/define.js';
import { scenarios } from '../scenarios/index.js';
import { type Playback, playback } from './playback.js';
import { portsOf, type SendOptions, sendOptions } from './send-options.js';
import { readiness, serve, type Serving, showPage, steer } from './serve.js';
import { sessionWorld } from './session-world.js';

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

/** {@link EmulatorOptions}, as a table. */
export const emulatorOptions = {
  ...planOptions,
  ...paceOptions,
  ...keepOptions,
  ...sendOptions,
  catalogue: { type: catalogueObject },
  open: { type: boolean },
} satisfies OptionTable<EmulatorOptions>;

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
  checkOptions<EmulatorOptions>('startEmulator()', emulatorOptions, options);
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
    steer(http, { session, ...serving.servers });
    showPage(http, {
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

/** Those of the user, which no command knows by name. */
function ownScenarios({ scenario }: PlanOptions): readonly PlatformScenario[] {
  return [scenario ?? []].flat().filter((each) => typeof each !== 'string');
}
