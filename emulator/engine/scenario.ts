import type { Calendar, DayPart, OpeningHours } from './calendar.js';
import type { RandomStream } from './random.js';
import { type Instant, milliseconds, type Span } from './time.js';
import { timeWithin } from './time-of-day.js';

/** Decisions of a scenario: branches by name, each with the weights of its outcomes. */
export type Branches = Readonly<Record<string, Readonly<Record<string, number>>>>;

/** Outcomes of an instance, by branch. */
export type Decisions<B extends Branches> = { readonly [K in keyof B]: keyof B[K] & string };

/**
 * A business process of the platform, written as a generator. An instance reads and writes one cell, reads immutable data of
 * the platform, and uses nothing else. Each decision that changes which events occur is a declared branch.
 */
export interface Scenario<Cell = never, B extends Branches = Branches, Input = unknown> {
  /** Name in kebab-case, for `--scenario`. */
  readonly name: string;
  /** Title of one line. */
  readonly title: string;
  /** Summary of the process in a few sentences. */
  readonly description: string;
  /** Decisions, with the weights of their outcomes. */
  readonly branches: B;
  /** Part of the day in which instances start. Default `waking`. */
  readonly starts?: DayPart;
  /** Clock and working days. Default: those of Great Britain. */
  readonly calendar?: Calendar;
  /**
   * Parses the data of a start by an input. The result is `input` of the context. A scenario without `parseInput` accepts no
   * data.
   * @throws BusbarError `invalid-option` if the data is invalid.
   */
  parseInput?(data: unknown): Input;
  /** Returns the steps of an instance. */
  run(context: ScenarioContext<Cell, B, Input>): Steps;
}

/** Argument of a scenario's `run()`. */
export interface ScenarioContext<Cell, B extends Branches, Input = unknown> {
  /** Household or business of the instance. */
  readonly cell: Cell;
  /** Outcomes by branch, drawn by their weights or forced by an option. */
  readonly branch: Decisions<B>;
  /** Random numbers of the instance. */
  readonly random: RandomStream;
  /** Clock and working days. */
  readonly calendar: Calendar;
  /** Result of `parseInput`. Undefined if the run itself starts the instance. */
  readonly input: Input | undefined;
  /** Current virtual instant. */
  readonly now: Instant;
}

/** One change in the world, published in one or more versions of an event with one key at one instant. */
export interface Occurrence {
  readonly type: string;
  readonly key: string;
  readonly versions: readonly { readonly version: string; readonly payload: unknown }[];
  /** Whether the event is sent unchanged, without validation and variation. */
  readonly asIs?: true;
}

/** Steps of a scenario, or of a part of one. Write them with `yield*` and the functions below. */
export type Steps<Result = void> = Generator<Step, Result, void>;

/** A single step of a scenario. */
export type Step =
  | { readonly kind: 'wait'; readonly until: (context: WaitContext) => Instant }
  | { readonly kind: 'emit'; readonly occurrence: Occurrence; readonly name: string }
  | { readonly kind: 'together'; readonly threads: readonly Steps[] };

/** Argument of a function that computes the end of a wait. */
interface WaitContext {
  readonly now: Instant;
  readonly random: RandomStream;
  readonly calendar: Calendar;
}

/**
 * Waits for `min`, or for a time between `min` and `max` with each doubling equally likely. Then waits for the day part, if
 * one is named. Working days count from today and keep the time of day.
 * @example
 * yield* after({ workingDays: 5 });
 * yield* after({ seconds: 1 }, { minutes: 5 });
 * yield* after({ days: 3 }, { days: 21 }, 'night');
 */
export function after(min: Span, max: Span = min, dayPart?: DayPart): Steps {
  return wait(({ now, random, calendar }) => {
    const shortest = milliseconds(min);
    const longest = milliseconds(max);
    const delay =
      shortest === longest
        ? shortest
        : Math.round(random.spread(Math.max(1, shortest), Math.max(1, longest)));
    const workingDays = random.integer(min.workingDays ?? 0, max.workingDays ?? 0);
    const at = addWorkingDays(now, workingDays, calendar) + delay;
    return within(at, dayPart, random, calendar);
  });
}

/** Waits until the instant. Continues at once if it has passed. */
export function until(instant: Instant): Steps {
  return wait(() => instant);
}

/** Waits until a random instant between the two, all equally likely. Then waits for the day part, if one is named. */
export function between(from: Instant, to: Instant, dayPart?: DayPart): Steps {
  return wait(({ random, calendar }) =>
    within(from + Math.floor(random.next() * Math.max(0, to - from)), dayPart, random, calendar),
  );
}

/** Runs several threads concurrently, and continues when all have ended. */
export function parallel(...threads: readonly Steps[]): Steps {
  return new OneStep({ kind: 'together', threads });
}

/**
 * Publishes an occurrence now. Occurrences of one cell never share an instant: the second waits for a millisecond.
 * @param name Name of the step in recordings and the dashboard. Default: the event type.
 */
export function occur(occurrence: Occurrence, name: string = occurrence.type): Steps {
  return new OneStep({ kind: 'emit', occurrence, name });
}

function wait(until: (context: WaitContext) => Instant): Steps {
  return new OneStep({ kind: 'wait', until });
}

/** A generator of a single step. Each occurrence makes one, and a real generator costs five times as much. */
class OneStep implements Generator<Step, void, void> {
  readonly #step: Step;
  #taken = false;

  constructor(step: Step) {
    this.#step = step;
  }

  next(): IteratorResult<Step, void> {
    if (this.#taken) return { done: true, value: undefined };
    this.#taken = true;
    return { done: false, value: this.#step };
  }

  return(): IteratorResult<Step, void> {
    this.#taken = true;
    return { done: true, value: undefined };
  }

  throw(error: unknown): never {
    this.#taken = true;
    throw error;
  }

  [Symbol.iterator](): this {
    return this;
  }
}

function addWorkingDays(at: Instant, count: number, calendar: Calendar): Instant {
  if (count === 0) return at;
  const today = calendar.dayAt(at);
  const timeOfDay = at - calendar.instantOf(today);
  return calendar.instantOf(calendar.addWorkingDays(today, count), timeOfDay);
}

/** Moves an instant into the day part. What must wait for it to open occurs by the traffic of its hours, as starts do. */
function within(
  at: Instant,
  dayPart: DayPart | undefined,
  random: RandomStream,
  calendar: Calendar,
): Instant {
  // The calendar would search forever.
  if (dayPart === undefined || !Number.isFinite(at)) return at;
  const opened = calendar.next(at, dayPart);
  if (opened === at) return at;
  const date = calendar.dayAt(opened);
  const hours = calendar.hours(date, dayPart) as OpeningHours;
  return calendar.instantOf(date, timeWithin(hours, dayPart, random));
}
