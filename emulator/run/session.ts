import type { Catalogue } from '../../catalogue/index.js';
import { checkOptions } from '../../src/base/options.js';
import type { Clock } from '../../src/base/clock.js';
import { BusbarError } from '../../src/base/errors.js';
import { quoted } from '../../src/base/quoted.js';
import type { Occurred } from '../engine/simulation.js';
import { formatInstant, type Instant } from '../engine/time.js';
import type { PlatformScenario } from '../scenarios/define.js';
import { findScenario } from '../scenarios/find.js';
import type { Sink } from '../sinks/sink.js';
import type { Account, Cell } from '../world/cell.js';
import { platformCell } from '../world/identifiers.js';
import { type Begun, beginRun, type KeepOptions } from './begin.js';
import { type EventLog, eventLog } from './event-log.js';
import type { Faults } from './faults/settings.js';
import type { ImportSupplier, SupplierChanges } from './import-supplier.js';
import { changedSupplier, importSuppliers } from './import-suppliers.js';
import { type Input, type InputContent, ordinalsOfInputs } from './inputs.js';
import {
  paceOptions,
  type ResetOptions,
  resetOptions,
  sampleOptions,
  type StartOptions,
  startOptions,
  triggerOptions,
} from './options.js';
import { type PaceOptions, paceOf } from './pace.js';
import { cellAt, cellHistory, defaultStart, type PlanOptions } from './plan.js';
import { type Run, startRun } from './run.js';
import type { SampleOptions } from '../samples/sampler.js';
import type { Sampled, TriggerOptions } from './trigger.js';

export interface SessionOptions {
  readonly plan: PlanOptions & KeepOptions;
  readonly pace: PaceOptions;
  readonly catalogue: Catalogue;
  /** Opens where the runs go, once it is known that there can be one; `ready` is what the first waits for. */
  readonly connect: () => Promise<{ readonly sinks: readonly Sink[]; readonly ready?: Promise<void> }>;
  readonly clock: Clock;
  /** Whether things may come in from outside; else the run ends with its last event. */
  readonly isOpen: boolean;
  /** See `RunOptions`. */
  readonly paused: boolean;
}

/** A scenario that has been started from outside. */
export interface Started {
  /** `house-move#1000000001`: what its events carry. */
  readonly instance: string;
  readonly cell: number;
  /** The first account of the household or business. */
  readonly account: string;
  readonly at: Instant;
}

/** One run after the other, with all that can be done to them from outside. */
export interface Session {
  readonly run: Run;
  /** What the present run is played from, its inputs so far included: `cellAt` takes it. */
  readonly plan: PlanOptions;
  /** The last things that have happened. */
  readonly events: EventLog;
  /** How many runs there have been: the number of the present one. */
  readonly generation: number;
  /** Takes something into the run. @throws BusbarError see `Inputs.add` */
  add(content: InputContent, at?: Instant): Input;
  /** Starts a scenario in the running world. @throws BusbarError */
  start(scenario: string, options?: StartOptions): Started;
  /** A realistic payload of an event, as `trigger` would draw it. @throws BusbarError `unknown-event` */
  sample(name: string, options?: Pick<SampleOptions, 'nth' | 'fields'>): Promise<Sampled>;
  /** Sends one event at will, or several. @throws BusbarError */
  trigger(name: string, options?: TriggerOptions): Promise<readonly Input[]>;
  /** Has those faults done from now on; null ends them. @throws BusbarError `invalid-option` */
  setFaults(faults: Faults | null): Input;
  /** Every import supplier, by code. */
  suppliers(): ReadonlyMap<string, ImportSupplier>;
  /** Creates an import supplier, or changes it. @throws BusbarError `invalid-option` */
  setSupplier(code: string, changes: SupplierChanges): ImportSupplier;
  /** Whether the run plays that cell. */
  knowsCell(cell: number): boolean;
  /** A cell as it was at a virtual instant; default now. @throws BusbarError for one in the future. */
  cellAt(cell: number, at?: Instant): Cell;
  /** What has occurred in the cell of a process, or of anything else with a number, that names it. @throws */
  processAt(number: string, at?: Instant): { readonly cell: number; readonly occurred: readonly Occurred[] };
  /** The cell of an account likewise. @throws BusbarError `unknown-account` */
  accountAt(number: string, at?: Instant): { readonly cell: Cell; readonly account: Account };
  /** How virtual time passes. */
  readonly pace: PaceOptions;
  setPace(options: PaceOptions): void;
  /** Stops the run and begins another. @throws BusbarError */
  reset(options?: ResetOptions): Promise<void>;
  /** Ends the run and closes what it has opened. */
  stop(): Promise<void>;
}

/** @throws BusbarError for what cannot be played. */
export async function openSession(options: SessionOptions): Promise<Session> {
  const { catalogue, clock, isOpen } = options;
  const events = eventLog();
  let plan = options.plan;
  /** Those of the plan, with files loaded. */
  let scenario: Begun['scenario'];
  let generation = 0;
  let pace = options.pace;
  let opened: Begun['open'];
  let recorder: Begun['recorder'];
  let run: Run;

  const prepare = () => beginRun(plan, catalogue, isOpen);

  function begin(begun: Begun, paused: boolean, ready?: Promise<void>): void {
    ({ open: opened, recorder, scenario } = begun);
    const inputs = opened?.inputs;
    inputs?.onAdded((input) => {
      recorder?.note(input);
      events.add({ kind: 'input', input });
    });
    generation++;
    run = startRun({
      source: begun.source,
      pace: paceOf(pace),
      // What is recorded has been sent: the recorder comes last.
      sinks: [...sinks, isOpen && events, recorder].filter((sink) => sink !== undefined && sink !== false),
      clock,
      paused,
      start: plan.start ?? defaultStart,
      ...(inputs && { inputs }),
      isEndless: [plan.scenario ?? []].flat().length === 0 && inputs?.log.length === 0,
      afterFailure: afterFailure(plan),
      ...(ready && { ready }),
    });
  }

  const now = () => run.now;
  const open = () => {
    if (opened !== undefined) return opened;
    const hint = 'Give it a server (a Kafka or HTTP port), or option "open".';
    throw new BusbarError('invalid-option', `This emulator only sends its run: nothing can come in. ${hint}`);
  };
  const played = (): PlanOptions => ({
    ...plan,
    scenario,
    ...(opened !== undefined && { inputs: opened.inputs.log }),
  });

  function past(at: Instant = now()): Instant {
    if (at <= now()) return Math.max(at, plan.start ?? defaultStart);
    const message = `It is ${formatInstant(now())} of virtual time: what comes later has not happened. Advance the clock first.`;
    throw new BusbarError('invalid-option', message);
  }
  const cell = (index: number, at?: Instant) => cellAt(played(), index, past(at));

  function accountAt(number: string, at?: Instant) {
    const index = open().cells.of(number);
    const found = index === undefined ? undefined : cell(index, at);
    const account = found?.accounts.find((each) => each.number === number);
    if (found !== undefined && account !== undefined) return { cell: found, account };
    throw new BusbarError('unknown-account', `The run has no account ${quoted(number)} at that time.`);
  }

  function scenarioNamed(name: string): PlatformScenario {
    const own = scenario.find((each) => typeof each !== 'string' && each.name === name);
    return typeof own === 'object' ? own : findScenario(name);
  }

  const first = await prepare();
  const { sinks, ready } = await options.connect().catch(async (error: unknown) => {
    await first.source.close();
    await first.recorder?.close();
    throw error;
  });
  begin(first, options.paused, ready);
  const session: Session = {
    get run() {
      return run;
    },
    get plan() {
      return played();
    },
    get generation() {
      return generation;
    },
    events,
    add: (content, at) => open().inputs.add(content, at),
    start(name, options = {}) {
      checkOptions<StartOptions>('start()', startOptions, options);
      const { account, branches, data, at } = options;
      const { setting } = scenarioNamed(name);
      const index = account === undefined ? open().cells.fresh(setting) : accountAt(account).cell.index;
      const content = { kind: 'start', cell: index, scenario: name } as const;
      const input = open().inputs.add(
        { ...content, ...(branches && { branches }), ...(data !== undefined && { data }) },
        at,
      );
      const instance = `${name}#${ordinalsOfInputs + input.nth}`;
      return { instance, cell: index, account: account ?? open().cells.firstAccount(index), at: input.at };
    },
    async sample(name, wanted = {}) {
      checkOptions('sample()', sampleOptions, wanted);
      const { sampled } = await loadTrigger();
      return sampled(name, wanted, { catalogue, seed: plan.seed ?? 1, now: now() });
    },
    async trigger(name, wanted = {}) {
      checkOptions<TriggerOptions>('trigger()', triggerOptions, wanted);
      const { triggered } = await loadTrigger();
      const { seed = 1 } = plan;
      const contents = await triggered(name, wanted, {
        catalogue,
        seed,
        now: now(),
        nth: open().inputs.log.length,
      });
      return contents.map(({ account, ...content }) => {
        const index = (account === undefined ? undefined : open().cells.of(account)) ?? platformCell;
        return open().inputs.add({ ...content, cell: index }, wanted.at);
      });
    },
    setFaults: (faults) => open().inputs.add({ kind: 'faults', faults }),
    suppliers: () => importSuppliers(open().inputs.log, now()),
    setSupplier(code, changes) {
      const supplier = changedSupplier(code, changes, importSuppliers(open().inputs.log).get(code));
      open().inputs.add({ kind: 'import-supplier', supplier });
      return supplier;
    },
    knowsCell: (index) => open().cells.isKnown(index),
    cellAt: cell,
    processAt(number, at) {
      const index = open().cells.of(number);
      const text = JSON.stringify(number);
      const occurred = index === undefined ? [] : cellHistory(played(), index, past(at)).occurred;
      const about = occurred.filter(({ occurrence }) => JSON.stringify(occurrence.versions).includes(text));
      if (index !== undefined && about.length > 0) return { cell: index, occurred: about };
      throw new BusbarError(
        'unknown-account',
        `No event of the run has named ${quoted(number)} by that time.`,
      );
    },
    accountAt,
    get pace() {
      return pace;
    },
    setPace(wanted) {
      checkOptions<PaceOptions>('setPace()', paceOptions, wanted);
      run.setPace(paceOf(wanted));
      pace = wanted;
    },
    async reset(options = {}) {
      checkOptions<ResetOptions>('reset()', resetOptions, options);
      const { speed, rate, paused = false, ...changes } = options;
      if (recorder !== undefined) {
        const message =
          'A run that is recorded cannot begin again: its recording would be of two. Start another emulator.';
        throw new BusbarError('invalid-option', message);
      }
      const { inputs: _, ...rest } = plan;
      const before = { plan, pace };
      plan = { ...rest, ...changes };
      if (rate !== undefined || speed !== undefined) {
        pace = { ...(speed !== undefined && { speed }), ...(rate !== undefined && { rate }) };
      }
      const previous = run;
      try {
        paceOf(pace);
        begin(await prepare(), true);
      } catch (error) {
        ({ plan, pace } = before);
        throw error;
      }
      await previous.stop().catch(() => undefined);
      for (const sink of sinks) sink.begin?.();
      if (!paused) run.resume();
    },
    async stop() {
      await run.stop().catch(() => undefined);
      await recorder?.close();
    },
  };
  return session;
}

function afterFailure({ record, resume }: KeepOptions): string {
  const recording = record ?? resume;
  return recording === undefined
    ? 'Record a run with --record FILE to be able to go on with it.'
    : `Go on with it by: emulate --resume ${JSON.stringify(recording)}.`;
}

/** With all that samples are made by, which most runs do without. */
function loadTrigger() {
  return import('./trigger.js');
}
