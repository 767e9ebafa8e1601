import { BusbarError, checkOptions, type Clock, defined, oneAtATime, quoted } from 'busbar/base';
import type { Catalogue } from 'busbar/catalogue';
import { london } from '../engine/calendar.js';
import { formatDay, formatInstant, type Instant } from '../engine/time.js';
import type { Sink } from './sink.js';
import { accountOnSupply } from '../world/billing/books.js';
import type { Cell } from '../world/cell.js';
import { platformCell } from '../world/identifiers.js';
import { type PreparedRun, prepareRun } from './prepare-run.js';
import type { Faults } from './faults/settings.js';
import type { ImportSupplier, SupplierChanges } from './import-supplier.js';
import { changedSupplier, importSuppliers } from './import-suppliers.js';
import { type Input, type InputContent, ordinalsOfInputs } from './inputs.js';
import {
  type KeepOptions,
  paceOptions,
  type ResetOptions,
  resetOptions,
  sampleOptions,
  type StartOptions,
  startOptions,
  triggerOptions,
} from './options.js';
import { type PaceOptions, paceOf } from './pace.js';
import type { AccountInCell, Plan, PlanOptions, TimelineStep } from './plan.js';
import { Run } from './run.js';
import type { SampleOptions } from '../samples/sampler.js';
import type { Sampled, TriggerOptions } from './trigger.js';

/** Content, pace and sinks of a session. */
export interface SessionOptions {
  readonly plan: PlanOptions & KeepOptions;
  readonly pace: PaceOptions;
  readonly catalogue: Catalogue;
  /** Opens the sinks after the options are checked. The first run waits for `ready`. */
  readonly connect: () => Promise<{ readonly sinks: readonly Sink[]; readonly ready?: Promise<void> }>;
  readonly clock: Clock;
  /** Whether the runs accept inputs. Otherwise a run ends after its last event. */
  readonly isOpen: boolean;
  /** Whether the first run starts paused. */
  readonly paused: boolean;
}

/** An instance that an input has started. */
export interface Started {
  /** Name of the instance, which its events carry: `house-move#1000000001`. */
  readonly instance: string;
  readonly cell: number;
  /** Number of the account that the start named, else of the first account of the household or business. */
  readonly account: string;
  /** Virtual start time. */
  readonly at: Instant;
}

/** The runs of one emulator, one after the other, and the inputs that control them. */
export interface Session {
  readonly run: Run;
  /** Options of the current run, its inputs so far included. */
  readonly plan: PlanOptions;
  /** Plan of the current run, with its state at any virtual instant. */
  readonly played: Plan;
  /** Number of the current run, from 1. */
  readonly generation: number;
  /** Adds an input to the run. @throws BusbarError as `Inputs.add` does */
  add(content: InputContent, at?: Instant): Input;
  /** Starts a scenario. @throws BusbarError for an unknown scenario, branch or account, and for invalid data */
  start(scenario: string, options?: StartOptions): Started;
  /** Returns a payload that `trigger` would draw. @throws BusbarError `unknown-event` */
  sample(name: string, options?: Pick<SampleOptions, 'nth' | 'fields'>): Promise<Sampled>;
  /** Sends one or more events of a type. @throws BusbarError `unknown-event`, `invalid-option` */
  trigger(name: string, options?: TriggerOptions): Promise<readonly Input[]>;
  /** Replaces the faults from now on. Null removes them. @throws BusbarError `invalid-option` */
  setFaults(faults: Faults | null): Input;
  /** Returns the import suppliers by code. */
  suppliers(): ReadonlyMap<string, ImportSupplier>;
  /** Creates or changes an import supplier. @throws BusbarError `invalid-option` */
  setSupplier(code: string, changes: SupplierChanges): ImportSupplier;
  /** Whether the run plays that cell. */
  knows(cell: number): boolean;
  /** Returns a cell at a virtual instant. @param at Default: now. @throws BusbarError for a future instant */
  cell(index: number, at?: Instant): Cell;
  /** Returns the occurrences that name a number, such as that of a process. @throws BusbarError `unknown-account` */
  processAt(
    number: string,
    at?: Instant,
  ): { readonly cell: number; readonly occurred: readonly TimelineStep[] };
  /** Returns an account with its cell at a virtual instant. @param at Default: now. @throws BusbarError `unknown-account` */
  accountAt(number: string, at?: Instant): AccountInCell;
  readonly pace: PaceOptions;
  /** Changes the pace of the current and later runs. @throws BusbarError `invalid-option` */
  setPace(options: PaceOptions): void;
  /** Stops the run and starts another on the same servers. @throws BusbarError `invalid-option` */
  reset(options?: ResetOptions): Promise<void>;
  /** Stops the run and closes its recording. */
  stop(): Promise<void>;
}

/** Opens a session and starts its first run. @throws BusbarError for options that cannot be played */
export async function openSession(options: SessionOptions): Promise<Session> {
  const { catalogue, clock, isOpen } = options;
  let current = options.plan;
  /** Scenarios of the plan, those of files loaded. */
  let loaded: Pick<PreparedRun, 'scenario' | 'scenarios'>;
  let generation = 0;
  let pace = options.pace;
  let plan: Plan;
  let recorder: PreparedRun['recorder'];
  let run: Run;

  const prepare = () => prepareRun(current, catalogue, isOpen);

  function begin(prepared: PreparedRun, paused: boolean, ready?: Promise<void>): void {
    ({ plan, recorder } = prepared);
    const { scenario, scenarios } = prepared;
    loaded = { scenario, scenarios };
    const { inputs } = plan;
    recorder?.writeHead();
    inputs.onAdded((input) => recorder?.note(input));
    generation++;
    run = new Run({
      source: prepared.source,
      pace: paceOf(pace),
      // The recorder is last: every other sink has sent what it records.
      sinks: [...sinks, recorder].filter((sink) => sink !== undefined),
      clock,
      paused,
      start: plan.start,
      inputs,
      isEndless: [current.scenario ?? []].flat().length === 0 && inputs.log.length === 0,
      afterFailure: afterFailure(current),
      ...(ready && { ready }),
    });
  }

  const now = () => run.now;
  /** Returns the plan of an open run. */
  const open = () => {
    if (isOpen) return plan;
    const hint = 'Start it with a server, or set "run.open".';
    throw new BusbarError('invalid-option', `This emulator accepts no inputs. ${hint}`);
  };
  const add = (content: InputContent, at?: Instant) => open().inputs.add(content, now(), at);

  function past(at: Instant = now()): Instant {
    if (at <= now()) return Math.max(at, plan.start);
    const message = `Virtual time is ${formatInstant(now())}, before that instant. Advance the clock first.`;
    throw new BusbarError('invalid-option', message);
  }

  function accountAt(number: string, at?: Instant) {
    const isPlayed = open().cellOf(number) !== undefined;
    const account = isPlayed ? plan.account(number, past(at)) : undefined;
    if (account !== undefined) return account;
    throw new BusbarError('unknown-account', `The run has no account ${quoted(number)} at that time.`);
  }

  // A reset that fails restores the settings before it.
  const inTurn = oneAtATime();

  async function reset(options: ResetOptions): Promise<void> {
    checkOptions<ResetOptions>('reset()', resetOptions, options);
    const { speed, rate, paused = false, ...changes } = options;
    if (recorder !== undefined || current.faultLog !== undefined) {
      const file = recorder === undefined ? 'fault log' : 'recording';
      const message = `A run with a ${file} cannot be reset: its ${file} would have two runs. Start another emulator.`;
      throw new BusbarError('invalid-option', message);
    }
    const { inputs: _, ...rest } = current;
    const before = { current, pace };
    current = { ...rest, ...changes };
    if (rate !== undefined || speed !== undefined) pace = defined({ speed, rate });
    const previous = run;
    try {
      paceOf(pace);
      begin(await prepare(), true);
    } catch (error) {
      ({ current, pace } = before);
      throw error;
    }
    await previous.stop().catch(() => undefined);
    for (const sink of sinks) sink.begin?.();
    if (!paused) run.resume();
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
      return { ...current, ...loaded, ...(isOpen && { inputs: plan.inputs.log }) };
    },
    get played() {
      return plan;
    },
    get generation() {
      return generation;
    },
    add,
    start(name, options = {}) {
      checkOptions<StartOptions>('start()', startOptions, options);
      const { account, branches, data, at } = options;
      const { setting, needsSupply } = plan.scenarioNamed(name);
      const named = account === undefined ? undefined : accountAt(account);
      if (named && needsSupply) requireSupply(named, at ?? now());
      const index = named?.cell.index ?? open().freshCell(setting);
      const content = { kind: 'start', cell: index, scenario: name } as const;
      const input = add({ ...content, ...defined({ branches, data }) }, at);
      const instance = `${name}#${ordinalsOfInputs + input.nth}`;
      return { instance, cell: index, account: account ?? plan.firstAccount(index), at: input.at };
    },
    async sample(name, options = {}) {
      checkOptions('sample()', sampleOptions, options);
      const { sampled } = await import('./trigger.js');
      return sampled(name, options, { catalogue, world: plan.world, now: now() });
    },
    async trigger(name, options = {}) {
      checkOptions<TriggerOptions>('trigger()', triggerOptions, options);
      const { triggered } = await import('./trigger.js');
      const contents = await triggered(name, options, {
        catalogue,
        world: plan.world,
        now: now(),
        nth: open().inputs.log.length,
      });
      return contents.map(({ account, ...content }) => {
        const index = (account === undefined ? undefined : open().cellOf(account)) ?? platformCell;
        return add({ ...content, cell: index }, options.at);
      });
    },
    setFaults: (faults) => add({ kind: 'faults', faults }),
    suppliers: () => importSuppliers(open().inputs.log, now()),
    setSupplier(code, changes) {
      const supplier = changedSupplier(code, changes, importSuppliers(open().inputs.log).get(code));
      add({ kind: 'import-supplier', supplier });
      return supplier;
    },
    knows: (index) => open().plays(index),
    cell: (index, at) => plan.cell(index, past(at)),
    processAt(number, at) {
      const cell = open().cellOf(number);
      const text = JSON.stringify(number);
      const steps = cell === undefined ? [] : [...plan.timeline(cell, past(at) + 1)];
      const occurred = steps.filter(({ occurrence }) => JSON.stringify(occurrence.versions).includes(text));
      if (cell !== undefined && occurred.length > 0) return { cell, occurred };
      throw new BusbarError(
        'unknown-account',
        `No event of the run has named ${quoted(number)} by that time.`,
      );
    },
    accountAt,
    get pace() {
      return pace;
    },
    setPace(options) {
      checkOptions<PaceOptions>('setPace()', paceOptions, options);
      run.setPace(paceOf(options));
      pace = options;
    },
    reset: (options = {}) => inTurn(() => reset(options)),
    async stop() {
      await inTurn(() => Promise.resolve());
      await run.stop().catch(() => undefined);
      await recorder?.close();
    },
  };
  return session;
}

/** @throws BusbarError `invalid-option` for an account that is not on supply: the scenario would act on another one */
function requireSupply({ cell, account }: AccountInCell, at: Instant): void {
  const day = london.dayAt(at);
  if (accountOnSupply(cell, day) === account) return;
  const next = Math.min(...account.agreements.map(({ from }) => from).filter((from) => from > day));
  const hint =
    next === Infinity ? 'Choose an account with an agreement.' : `Its supply starts on ${formatDay(next)}.`;
  throw new BusbarError(
    'invalid-option',
    `Account ${quoted(account.number)} is not on supply on ${formatDay(day)}. ${hint}`,
  );
}

function afterFailure({ record, resume }: KeepOptions): string {
  const recording = record ?? resume;
  return recording === undefined
    ? 'Only a run with --record FILE can be resumed.'
    : `Resume it with: npx emulate --resume ${JSON.stringify(recording)}.`;
}
