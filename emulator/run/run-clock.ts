import { BusbarError, type Clock, maxTimer } from 'busbar/base';
import { instantPace, type Pace } from '../engine/pacing.js';
import { formatInstant, type Instant, lastInstant } from '../engine/time.js';

/** Milliseconds below which a wait is left out: timers aren't more precise. */
const tolerance = 4;

/** Milliseconds of delay by timers and other work that a run catches up on, to keep its rate. */
const ordinaryDelay = 50;

/** @throws BusbarError `invalid-option` for an instant that virtual time cannot reach */
export function checkDestination(to: Instant): void {
  if (to <= lastInstant) return;
  const message = `Virtual time ends at ${formatInstant(lastInstant)}. Choose an earlier instant.`;
  throw new BusbarError('invalid-option', message);
}

/** Virtual time of a run, which passes at a pace from an anchor on the wall clock, or is held. */
export class RunClock {
  readonly #wall: Clock;
  readonly #start: Instant;
  #pace: Pace;
  #isHeld: boolean;
  /** A virtual instant and its wall time. */
  #anchor: { readonly at: Instant; readonly wall: number } | undefined;
  /** Instant before which no event is known after the anchor. */
  #next: Instant = -Infinity;
  #target: Instant = -Infinity;

  /** @param start Virtual time before the first event. */
  constructor(wall: Clock, start: Instant, pace: Pace, isHeld: boolean) {
    this.#pace = pace;
    this.#wall = wall;
    this.#start = start;
    this.#isHeld = isHeld;
  }

  get isHeld(): boolean {
    return this.#isHeld;
  }

  /** Current virtual instant. */
  get now(): Instant {
    if (this.#anchor === undefined) return this.#start;
    const { at } = this.#anchor;
    return Math.max(at, Math.min(at + (this.#isHeld ? 0 : this.#passed(this.#anchor)), this.#next));
  }

  /** Instant up to which all events are due at once. */
  get target(): Instant {
    return this.#target;
  }

  /** Last instant with events that may be due now. */
  get limit(): Instant {
    if (this.#isHeld) return this.#target;
    if (this.#pace === instantPace) return Infinity;
    if (this.#anchor === undefined) return this.#target;
    return Math.max(this.#target, this.#anchor.at + this.#passed(this.#anchor));
  }

  hold(): void {
    this.#anchorHere();
    this.#isHeld = true;
  }

  release(): void {
    if (this.#isHeld) this.#anchorHere();
    this.#isHeld = false;
  }

  setPace(pace: Pace): void {
    this.#anchorHere();
    this.#pace = pace;
  }

  /** Makes all events until that instant due. */
  advance(to: Instant): void {
    this.#target = Math.max(this.#target, to);
  }

  /**
   * Returns the milliseconds of wall time until events are due, at most as many as a timer can last, or undefined while the
   * clock is held.
   */
  untilDue(at: Instant, events: number): number | undefined {
    if (at <= this.#target) return 0;
    if (this.#isHeld) return undefined;
    const left = this.#pace === instantPace ? 0 : this.#dueAt(at, events) - this.#wall.now();
    return left > tolerance ? Math.min(left, maxTimer) : 0;
  }

  /** Notes that no event comes before that instant. */
  expect(at: Instant): void {
    this.#next = at;
  }

  /** Starts the clock at that instant, unless it has started. */
  begin(at: Instant = this.#start): void {
    this.#anchor ??= { at, wall: this.#wall.now() };
  }

  /** Notes events at that instant. @param isAtOnce Whether they are sent before they were due. */
  happened(at: Instant, events: number, isAtOnce: boolean): void {
    const wall = this.#wall.now();
    const due = this.#dueAt(at, events);
    // After a slow sink or a pause, the clock continues from here instead of catching up.
    const isAnchoredHere = isAtOnce || at <= this.#target || wall - due > ordinaryDelay;
    this.#anchor = { at, wall: isAnchoredHere ? wall : due };
    this.#next = at;
  }

  /** Notes that all events until that instant are sent. */
  arrive(at: Instant): void {
    if (at > (this.#anchor?.at ?? -Infinity)) this.#anchor = { at, wall: this.#wall.now() };
  }

  #anchorHere(): void {
    if (this.#anchor !== undefined) this.#anchor = { at: this.now, wall: this.#wall.now() };
  }

  #passed({ at, wall }: { readonly at: Instant; readonly wall: number }): number {
    const passed = this.#pace.passed(Math.max(0, this.#wall.now() - wall));
    return Math.min(passed, Math.max(0, lastInstant - at));
  }

  /** Returns the wall time at which events are due. */
  #dueAt(at: Instant, events: number): number {
    if (this.#anchor === undefined) return -Infinity;
    return this.#anchor.wall + this.#pace.wait(Math.max(0, at - this.#anchor.at), events);
  }
}
