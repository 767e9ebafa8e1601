import type { Calendar, Window } from './calendar.js';
import type { RandomStream } from './random.js';
import { type Instant, milliseconds, type Span } from './time.js';

/** The ways that a scenario can go: a name for each decision, and for each of its outcomes how likely it is. */
export type Branches = Readonly<Record<string, Readonly<Record<string, number>>>>;

/** What was decided, by the names of the branches. */
export type Decisions<B extends Branches> = { readonly [K in keyof B]: keyof B[K] & string };

/**
 * A process of the platform, told as a generator. It lives in one cell: it reads and writes that cell and immutable
 * data of the platform, and nothing else. Every decision that changes which events occur is a declared branch.
 */
export interface Scenario<Cell = never, B extends Branches = Branches, Input = unknown> {
  /** In kebab-case: what `--scenario` takes. */
  readonly name: string;
  /** One line. */
  readonly title: string;
  /** What happens and why, in a few sentences. */
  readonly story: string;
  readonly branches: B;
  /** When it can start; default `waking`. */
  readonly starts?: Window;
  /** Clock and working days of the place where it plays; default those of the run. */
  readonly calendar?: Calendar;
  /**
   * Reads what a start from outside brings with it: what it answers is `stage.input`. A scenario without it takes
   * nothing.
   * @throws BusbarError `invalid-option` saying what is wrong with it.
   */
  reads?(data: unknown): Input;
  run(stage: Stage<Cell, B, Input>): Steps;
}

/** What a scenario has to act with. */
export interface Stage<Cell, B extends Branches, Input = unknown> {
  readonly cell: Cell;
  /** The decisions, drawn from the declared likelihoods or forced by whoever started the run. */
  readonly branch: Decisions<B>;
  /** The instance's own random numbers. */
  readonly random: RandomStream;
  readonly calendar: Calendar;
  /** What the start from outside has brought; undefined where the run itself has started it. */
  readonly input: Input | undefined;
  /** The present virtual instant. */
  readonly now: Instant;
}

/** Something that happened: one or more versions of an event, sent side by side at one instant with one key. */
export interface Occurrence {
  readonly type: string;
  readonly key: string;
  readonly versions: readonly { readonly version: string; readonly payload: unknown }[];
  /** Sent as somebody outside wants it: neither checked nor varied. */
  readonly asIs?: true;
}

/** A scenario, or a part of one, under way. Write it with `yield*` and the functions below. */
export type Steps<Result = void> = Generator<Step, Result, void>;

export type Step =
  | { readonly kind: 'wait'; readonly until: (moment: Moment) => Instant }
  | { readonly kind: 'emit'; readonly occurrence: Occurrence; readonly name: string }
  | { readonly kind: 'together'; readonly threads: readonly Steps[] };

/** What a wait is computed from. */
export interface Moment {
  readonly now: Instant;
  readonly random: RandomStream;
  readonly calendar: Calendar;
}

/**
 * Waits for `min`, or for something between `min` and `max`, each doubling equally likely; then, where a window is
 * named, until it is open. Working days are counted from today, keeping the time of day.
 *
 *     yield* after({ workingDays: 5 });
 *     yield* after({ seconds: 1 }, { minutes: 5 });
 *     yield* after({ days: 3 }, { days: 21 }, 'night');
 */
export function after(min: Span, max: Span = min, window?: Window): Steps {
  return waiting(({ now, random, calendar }) => {
    const least = milliseconds(min);
    const most = milliseconds(max);
    const delay = least === most ? least : Math.round(random.spread(Math.max(1, least), Math.max(1, most)));
    const workingDays = random.integer(min.workingDays ?? 0, max.workingDays ?? 0);
    const at = addWorkingDays(now, workingDays, calendar) + delay;
    return within(at, window, random, calendar);
  });
}

/** Waits until the instant; not at all when it has passed. */
export function until(instant: Instant): Steps {
  return waiting(() => instant);
}

/** Waits until some instant between the two, all equally likely; then until the window is open. */
export function between(from: Instant, to: Instant, window?: Window): Steps {
  return waiting(({ random, calendar }) =>
    within(from + Math.floor(random.next() * Math.max(0, to - from)), window, random, calendar),
  );
}

/** Follows several threads side by side and goes on when all have ended. */
export function together(...threads: readonly Steps[]): Steps {
  return new OneStep({ kind: 'together', threads });
}

/**
 * Lets it happen now. Different occurrences of one cell never share an instant: the second waits a millisecond.
 * `name` is how recordings and the dashboard call the step; the event type by default.
 */
export function occur(occurrence: Occurrence, name: string = occurrence.type): Steps {
  return new OneStep({ kind: 'emit', occurrence, name });
}

function waiting(until: (moment: Moment) => Instant): Steps {
  return new OneStep({ kind: 'wait', until });
}

/** A generator of a single step: there is one for everything that happens, and a real one costs five times as much. */
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

/** Into the window. What has to wait for it to open is spread over its first quarter of an hour. */
function within(at: Instant, window: Window | undefined, random: RandomStream, calendar: Calendar): Instant {
  // The calendar would search without an end.
  if (window === undefined || !Number.isFinite(at)) return at;
  const opened = calendar.next(at, window);
  return opened === at ? at : opened + random.integer(0, 15 * 60_000);
}
