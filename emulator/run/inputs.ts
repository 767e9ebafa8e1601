import { BusbarError, Heap } from 'busbar/base';
import type { SimulationControl, Start } from '../engine/simulation.js';
import { formatInstant, type Instant } from '../engine/time.js';
import type { PlatformScenario } from '../scenarios/define.js';
import type { Cell } from '../world/cell.js';
import { type Faults, type FaultSettings, readFaults } from './faults/settings.js';
import type { ImportSupplier } from './import-supplier.js';

/** Input that starts a scenario in a cell. */
export interface StartInput {
  readonly kind: 'start';
  readonly cell: number;
  readonly scenario: string;
  /** Outcomes of branches, instead of drawn ones. */
  readonly branches?: Readonly<Record<string, string>>;
  /** Data for `parseInput` of the scenario. */
  readonly data?: unknown;
}

/** Input that sends an event unchanged. The world does not change. */
export interface EventInput {
  readonly kind: 'event';
  readonly cell: number;
  readonly type: string;
  readonly version: string;
  readonly key: string;
  readonly payload: unknown;
}

/** Input that replaces the faults. Null removes them. */
interface FaultsInput {
  readonly kind: 'faults';
  readonly faults: Faults | null;
}

/** Input that creates or replaces an import supplier. */
interface SupplierInput {
  readonly kind: 'import-supplier';
  readonly supplier: ImportSupplier;
}

/** Content of an input. */
export type InputContent = StartInput | EventInput | FaultsInput | SupplierInput;

/** An input of a run, with its virtual instant and its number. */
export type Input = InputContent & {
  /** Number among the inputs of the run, from 1. */
  readonly nth: number;
  /** Virtual instant of the input. */
  readonly at: Instant;
};

/** Maximum number of inputs of a run, whose log is kept in memory. */
const capacity = 100_000;

export interface InputsOptions {
  /** Start of the run, and its end, exclusive. */
  readonly start: Instant;
  readonly until: Instant;
  /** Log of an earlier run, to be repeated. */
  readonly logged: readonly Input[];
  /** Returns the start of an input, or undefined if it starts nothing. Throws for an invalid input. */
  readonly startOf: (input: Input) => InputStart | undefined;
  /** Whether this share of the run plays the cell. */
  readonly isPlayed: (cell: number) => boolean;
}

/**
 * Inputs of a run, logged with their virtual instants. The same seed and the same log give the same bytes: a new input is
 * later than the progress of the run, and the run plays it like a planned start.
 */
export class Inputs implements SimulationControl<Cell, PlatformScenario> {
  /** Settings of faults, by the instant from which they apply. */
  readonly faults: SwitchedFaults[] = [];
  readonly #log: Input[] = [];
  readonly #cells = new Set<number>();
  readonly #starts: InputStart[] = [];
  readonly #waiting = new Heap<InputStart>((one, other) => byTime(one, other) < 0);
  readonly #listeners = new Set<(input: Input) => void>();
  readonly #options: InputsOptions;
  #limit: Instant = -Infinity;
  #reached: Instant;
  #isClosed = false;

  constructor(options: InputsOptions) {
    this.#options = options;
    this.#reached = options.start - 1;
    for (const input of options.logged) this.#accept(input);
  }

  get log(): readonly Input[] {
    return this.#log;
  }

  get cells(): ReadonlySet<number> {
    return this.#cells;
  }

  /** Returns the starts by inputs before an instant, in order. */
  startsBefore(until: Instant, isPlayed: (cell: number) => boolean): readonly InputStart[] {
    return this.#starts.filter(({ at, cell }) => at < until && isPlayed(cell)).sort(byTime);
  }

  get limit(): Instant {
    return this.#limit;
  }

  /** Instant up to which the run was played, dropped events included. */
  get reached(): Instant {
    return this.#reached;
  }

  /** Sets the instant up to which the simulation may play. */
  allow(limit: Instant): void {
    this.#limit = limit;
  }

  reach(at: Instant): void {
    this.#reached = Math.max(this.#reached, at);
  }

  /**
   * Adds an input at the current virtual instant, `now`, or at a later one.
   * @throws BusbarError `run-over` after the run, `invalid-option` for a past instant, `capacity-exceeded`, and as `startOf`.
   */
  add(content: InputContent, now: Instant, at?: Instant): Input {
    const { until } = this.#options;
    if (this.#isClosed) {
      throw new BusbarError('run-over', 'The run was stopped or has failed. Reset it, or start another.');
    }
    const earliest = Math.max(now, this.#reached + 1);
    if (at !== undefined && !(Number.isSafeInteger(at) && at >= earliest)) {
      const message = `Option "at" must be a virtual instant from ${formatInstant(earliest)} on. Earlier ones have passed.`;
      throw new BusbarError('invalid-option', message);
    }
    if (earliest >= until || (at ?? earliest) >= until) {
      throw new BusbarError(
        'run-over',
        `The run ends at ${formatInstant(until)} and accepts no later inputs. Set a later end.`,
      );
    }
    if (this.#log.length >= capacity) {
      const message = `A run takes at most ${capacity} inputs. Reset the run.`;
      throw new BusbarError('capacity-exceeded', message);
    }
    const nth = (this.#log.at(-1)?.nth ?? 0) + 1;
    const input: Input = { nth, at: at ?? earliest, ...content };
    this.#accept(input);
    for (const listener of this.#listeners) listener(input);
    return input;
  }

  onAdded(listener: (input: Input) => void): void {
    this.#listeners.add(listener);
  }

  close(): void {
    this.#isClosed = true;
  }

  peek(): InputStart | undefined {
    return this.#waiting.peek();
  }

  take(): void {
    this.#waiting.pop();
  }

  #accept(input: Input): void {
    const start = this.#options.startOf(input);
    if (input.kind === 'faults') this.faults.splice(0, Infinity, ...faultsIn([...this.#log, input]));
    this.#log.push(input);
    if (start === undefined) return;
    this.#cells.add(start.cell);
    this.#starts.push(start);
    if (this.#options.isPlayed(start.cell)) this.#waiting.push(start);
  }
}

/** Settings of faults that apply from an instant on. */
export interface SwitchedFaults {
  readonly at: Instant;
  readonly settings: FaultSettings;
}

/** Returns the settings of faults in a log, in order of time. @throws BusbarError `invalid-option` */
function faultsIn(log: readonly Input[]): SwitchedFaults[] {
  return log
    .filter((input) => input.kind === 'faults')
    .toSorted((one, other) => one.at - other.at || one.nth - other.nth)
    .map(({ at, faults }) => ({ at, settings: readFaults(faults ?? {}) }));
}

/** Base of the ordinals of instances by inputs, above all planned ones. */
export const ordinalsOfInputs = 1_000_000_000;

export type InputStart = Start<Cell, PlatformScenario>;

function byTime(one: InputStart, other: InputStart): number {
  return one.at - other.at || one.ordinal - other.ordinal;
}
