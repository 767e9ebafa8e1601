import type { Delivery, Sent } from './delivery.js';
import type { Exercise } from './exercise.js';

/** Caches results of deliveries: most checks compare with the same few sequences. */
export class ExerciseMemory {
  readonly #numbers = new WeakMap<Sent, number>();
  /** Results by the numbers of the delivered records. */
  readonly #known = new Map<string, Promise<Exercise>>();
  #sent = 0;

  of(deliveries: readonly Delivery[], find: () => Promise<Exercise>): Promise<Exercise> {
    const key = deliveries.map(({ sent }) => this.#numberOf(sent)).join();
    const found = this.#known.get(key) ?? find();
    // In the order of last use.
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

/** Room for the sequences and, while a failure is shrunk, their beginnings. */
const capacity = 50;
