import { boolean, catalogueObject, checkOptions, nested, type OptionTable, systemClock } from 'busbar/base';
import type { Catalogue } from 'busbar/catalogue';
import { runStatus } from '../control-api/run-status.js';
import { configuredCatalogue, configuredEnvelope, configuredFiles } from '../run/configured.js';
import type { Instant } from '../engine/time.js';
import { worldView } from '../platform-api/world-view.js';
import { inEnvelope } from '../run/in-envelope.js';
import { type KeepOptions, keepOptions, paceOptions, planOptions } from '../run/options.js';
import { type PaceOptions, paceOf } from '../run/pace.js';
import type { PlanOptions } from '../run/plan.js';
import { openSession, type Session } from '../run/session.js';
import type { PlatformScenario } from '../scenarios/define.js';
import { scenarios } from '../scenarios/index.js';
import { mountPages, type Playback, playback, type Servers, startServers } from './playback.js';
import {
  type RunStartOptions,
  runStartOptions,
  type SendOptions,
  sendOptions,
  serversAsked,
} from './send-options.js';

/** Options of a run that change none of its events: its start, its end, and the files that it writes. */
export interface EmulatorRunOptions extends KeepOptions, RunStartOptions {
  /**
   * Whether the run accepts input: triggers, scenarios, faults. An open run waits for input instead of ending, and keeps
   * every cell that the input changes in memory. Default: true if the emulator has servers of its own.
   */
  readonly open?: boolean;
}

/** Content of a run, its pace, its files, and the servers and sinks that it is sent to. */
export interface EmulatorOptions extends PlanOptions, PaceOptions, SendOptions {
  /** Default: that of the nearest configuration file, else the built-in catalogue. */
  readonly catalogue?: Catalogue;
  /** Start and end of the run, and the files that it writes. */
  readonly run?: EmulatorRunOptions;
}

const runOptions = {
  ...keepOptions,
  ...runStartOptions,
  open: { type: boolean },
} satisfies OptionTable<EmulatorRunOptions>;

export const emulatorOptions = {
  ...planOptions,
  ...paceOptions,
  ...sendOptions,
  catalogue: { type: catalogueObject },
  run: { type: nested(runOptions) },
} satisfies OptionTable<EmulatorOptions>;

/** A running emulator, with the functions of the control API for the same process. */
export interface Emulator extends Playback, Omit<Session, 'run' | 'played' | 'stop' | 'reset'> {
  /** Current virtual instant, in milliseconds since the epoch. */
  readonly now: Instant;
  /**
   * Moves virtual time forward and sends all events until then at once. Resolves to the current instant.
   * @throws BusbarError `run-over`; `invalid-option` for an instant after the year 9999
   */
  advance(to: Instant): Promise<Instant>;
  /** Resolves when the run has nothing left to send for now. Rejects if the run fails. */
  idle(): Promise<void>;
  /** Stops the run and starts another on the same servers. `finished` still belongs to the first run. */
  readonly reset: Session['reset'];
}

/**
 * Starts the emulator: a run of the scenarios and, unless there are `sinks`, the servers that it is sent to.
 * @throws BusbarError for an unknown scenario, branch or option, and `port-in-use`.
 * @example
 * const emulator = await startEmulator({ scenario: 'house-move', kafka: { port: 0 }, http: { port: 0 } });
 * console.log(emulator.bootstrapServers, emulator.streamUrl);
 * await emulator.stop();
 */
export async function startEmulator(options: EmulatorOptions = {}): Promise<Emulator> {
  checkOptions<EmulatorOptions>('startEmulator()', emulatorOptions, options);
  const { clock = systemClock, speed, rate, run = {} } = options;
  const { catalogue = await configuredCatalogue(), envelope = await configuredEnvelope() } = options;
  // A resumed run has the scenarios of its recording.
  const known = run.resume === undefined ? await configuredFiles() : {};
  const pace = { ...(speed !== undefined && { speed }), ...(rate !== undefined && { rate }) };
  paceOf(pace);
  const world = worldView(
    () => session.played,
    () => session.run.now,
  );
  let servers: Servers | undefined;
  const { kafka, http: httpAsked } = serversAsked(options);
  const session: Session = await openSession({
    plan: { ...known, ...options, ...run },
    pace,
    catalogue,
    connect: async () => {
      const report = () => runStatus(session);
      servers = await startServers(options, { world, session: () => session, report });
      const sinks = inEnvelope([...(options.sinks ?? []), ...servers.sinks], envelope);
      return { sinks, ...servers.readiness };
    },
    clock,
    isOpen: run.open ?? (kafka !== false || httpAsked !== false),
    paused: run.paused ?? false,
  });
  if (servers === undefined) throw new Error('a session connects');
  mountPages(servers, {
    session,
    catalogue,
    envelope,
    world,
    plan: () => session.played,
    scenarios: () => [...ownScenarios(session.plan), ...scenarios],
  });
  const { finished } = session.run;
  const played = { run: () => session.run, finished, end: () => session.stop() };
  return joined(session, playback(servers, options, played), {
    get now() {
      return session.run.now;
    },
    advance: (to: Instant) => session.run.advance(to),
    idle: () => session.run.idle(),
  });
}

/** Merges the members of three objects, the last of a name first. Keeps getters, which a spread would evaluate. */
function joined<A, B, C>(one: A, other: B, another: C): Omit<A, keyof B> & B & C {
  const members = [one, other, another].map((each) => Object.getOwnPropertyDescriptors(each));
  return Object.defineProperties({}, Object.assign({}, ...members) as PropertyDescriptorMap) as Omit<
    A,
    keyof B
  > &
    B &
    C;
}

function ownScenarios({ scenario = [], scenarios: others = [] }: PlanOptions): readonly PlatformScenario[] {
  const named = [...[scenario].flat(), ...others];
  return [...new Set(named.filter((each) => typeof each !== 'string'))];
}
