import type { Delivery, Sent } from './delivery.js';
import type { Exercise } from './exercise.js';

/** What came of deliveries, so that it is found out once: most checks compare with the same few courses. */
export class ExerciseMemory {
  readonly #numbers = new WeakMap<Sent, number>();
  /** By the numbers of what was sent. */
  readonly #known = new Map<string, Promise<Exercise>>();
  #sent = 0;

  of(deliveries: readonly Delivery[], find: () => Promise<Exercise>): Promise<Exercise> {
    const key = deliveries.map(({ sent }) => this.#numberOf(sent)).join();
    const found = this.#known.get(key) ?? find();
    // In the order in which they were asked for last.
    this.#known.delete(key);
    this.#known.set(key, found);
    const [oldest] = this.#known.keys();
    if (this.#known.size > capacity && oldest !== undefined) this.#known.delete(oldest);
    return found;
  }

  #numberOf(sent: Sent): number {
    let number = this.#numbers.get(sent);
    if (number === undefined) this.#numbers.set(sent, (number = this.#sent++));
    return number;
  }
}

/** The courses, each with its beginnings while a failure is shrunk. */
const capacity = 50;
