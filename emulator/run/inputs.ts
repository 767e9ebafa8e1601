import { BusbarError } from '../../src/base/errors.js';
import { Heap } from '../../src/base/heap.js';
import type { Live, Start } from '../engine/simulation.js';
import { formatInstant, type Instant } from '../engine/time.js';
import type { PlatformScenario } from '../scenarios/define.js';
import type { Cell } from '../world/cell.js';
import { type Faults, type FaultSettings, readFaults } from './faults/settings.js';
import type { ImportSupplier } from './import-supplier.js';

/** A scenario that is to start in a cell. */
export interface StartInput {
  readonly kind: 'start';
  readonly cell: number;
  readonly scenario: string;
  /** Outcomes to take instead of drawing them. */
  readonly branches?: Readonly<Record<string, string>>;
  /** Data for the scenario: see `Scenario.reads`. */
  readonly data?: unknown;
}

/** One event, sent as it is; the world does not change by it. */
export interface EventInput {
  readonly kind: 'event';
  readonly cell: number;
  readonly type: string;
  readonly version: string;
  readonly key: string;
  readonly payload: unknown;
}

/** The faults that are done from now on; null for none. */
export interface FaultsInput {
  readonly kind: 'faults';
  readonly faults: Faults | null;
}

/** An import supplier as it is from now on. */
export interface SupplierInput {
  readonly kind: 'import-supplier';
  readonly supplier: ImportSupplier;
}

/** What comes into a run from outside. */
export type InputContent = StartInput | EventInput | FaultsInput | SupplierInput;

/** What has come in: with its virtual instant, and its number among all that did. */
export type Input = InputContent & {
  /** From 1. */
  readonly nth: number;
  readonly at: Instant;
};

/** Inputs that a run can take: their log is kept in memory. */
const capacity = 100_000;

export interface InputsOptions {
  /** When the run begins, and when it ends. */
  readonly start: Instant;
  readonly until: Instant;
  /** Inputs that are known beforehand, as from the log of an earlier run. */
  readonly logged: readonly Input[];
  /** What an input starts; undefined where it starts nothing here. Throws where it cannot be. */
  readonly startOf: (input: Input) => Start<Cell, PlatformScenario> | undefined;
}

/**
 * What comes into a run from outside, stamped with its virtual instant and logged. The same seed and the same log give
 * the same bytes: an input is always later than all that has been played when it comes in, and is played like any
 * planned start when its instant has come.
 */
export class Inputs implements Live<Cell, PlatformScenario> {
  limit: Instant = -Infinity;
  reached: Instant;
  /** What the run's clock shows; whoever runs it sets it. */
  now: () => Instant;
  /** Faults by the instant from which they are done. */
  readonly faults: SwitchedFaults[] = [];
  readonly #log: Input[] = [];
  readonly #waiting = new Heap<Waiting>(earlier);
  readonly #listeners = new Set<(input: Input) => void>();
  readonly #options: InputsOptions;
  #isClosed = false;

  constructor(options: InputsOptions) {
    this.#options = options;
    this.reached = options.start - 1;
    this.now = () => options.start;
    for (const input of options.logged) this.#take(input);
  }

  get log(): readonly Input[] {
    return this.#log;
  }

  /**
   * Takes something in, now or at a later virtual instant.
   * @throws BusbarError `run-over` after the run; `invalid-option` for an instant that has passed; as `startOf` for
   * what cannot be.
   */
  add(content: InputContent, at?: Instant): Input {
    const { until } = this.#options;
    if (this.#isClosed) {
      throw new BusbarError(
        'run-over',
        'The run was stopped or has failed: nothing can come in. Start another.',
      );
    }
    const earliest = Math.max(this.now(), this.reached + 1);
    if (at !== undefined && !(Number.isSafeInteger(at) && at >= earliest)) {
      const message = `Option "at" must be a virtual instant from ${formatInstant(earliest)} on: what is before has happened.`;
      throw new BusbarError('invalid-option', message);
    }
    if (earliest >= until || (at ?? earliest) >= until) {
      throw new BusbarError(
        'run-over',
        `The run ends at ${formatInstant(until)}: nothing can come in after that.`,
      );
    }
    const nth = (this.#log.at(-1)?.nth ?? 0) + 1;
    const input: Input = { nth, at: at ?? earliest, ...content };
    this.#take(input);
    for (const listener of this.#listeners) listener(input);
    return input;
  }

  /** Hears of what comes in from now on, as soon as it is logged. */
  onAdded(listener: (input: Input) => void): void {
    this.#listeners.add(listener);
  }

  close(): void {
    this.#isClosed = true;
  }

  peek(): Start<Cell, PlatformScenario> | undefined {
    return this.#waiting.peek()?.start;
  }

  take(): void {
    this.#waiting.pop();
  }

  #take(input: Input): void {
    if (this.#log.length >= capacity) {
      const message = `A run takes at most ${capacity} inputs. Reset it, or send events in another way.`;
      throw new BusbarError('capacity-exceeded', message);
    }
    const start = this.#options.startOf(input);
    const switched = faultsIn([input]);
    this.#log.push(input);
    if (switched.length > 0) this.faults.splice(0, Infinity, ...faultsIn(this.#log));
    if (start !== undefined) this.#waiting.push({ start, nth: input.nth });
  }
}

/** Faults that are done from an instant on. */
export interface SwitchedFaults {
  readonly at: Instant;
  readonly settings: FaultSettings;
}

/** What a log says about faults, in order of time. @throws BusbarError `invalid-option` */
export function faultsIn(log: readonly Input[]): SwitchedFaults[] {
  return log
    .filter((input) => input.kind === 'faults')
    .toSorted((one, other) => one.at - other.at || one.nth - other.nth)
    .map(({ at, faults }) => ({ at, settings: faults === null ? noFaults : readFaults(faults) }));
}

/** Ordinals of instances that come from outside begin after this: no planned one gets there. */
export const ordinalsOfInputs = 1_000_000_000;

export const noFaults: FaultSettings = {
  rates: {},
  delayBy: 0,
  reorderWithin: 0,
  reorderWithinKey: false,
  burst: undefined,
};

interface Waiting {
  readonly start: Start<Cell, PlatformScenario>;
  readonly nth: number;
}

function earlier(one: Waiting, other: Waiting): boolean {
  return one.start.at === other.start.at ? one.nth < other.nth : one.start.at < other.start.at;
}
