import type { Clock } from '../../../base/clock.js';
import type { GroupMember } from '../client.js';

/** Time in milliseconds after which the member learns of a failure that lasts. */
const patience = 3_000;

/** Collects failures of parts of a membership, and informs the member when one lasts and when all are over. */
export class Outage {
  readonly #clock: Clock;
  readonly #member: GroupMember;
  readonly #failing = new Set<unknown>();
  #error: Error | undefined;
  #since = 0;
  #isReported = false;
  #cancel: () => void = () => undefined;

  constructor(clock: Clock, member: GroupMember) {
    this.#clock = clock;
    this.#member = member;
  }

  failed(part: unknown, error: unknown): void {
    this.#error = error as Error;
    if (this.#failing.size === 0) {
      this.#since = this.#clock.now();
      this.#cancel = this.#clock.schedule(patience, () => this.#report());
    }
    this.#failing.add(part);
    if (this.#isReported) this.#report();
  }

  recovered(part: unknown): void {
    if (!this.#failing.delete(part) || this.#failing.size > 0) return;
    this.#cancel();
    if (!this.#isReported) return;
    this.#isReported = false;
    this.#member.restored();
  }

  stop(): void {
    this.#cancel();
  }

  #report(): void {
    if (this.#error === undefined) return;
    this.#isReported = true;
    this.#member.interrupted(this.#error, this.#since);
  }
}
