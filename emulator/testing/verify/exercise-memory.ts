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
    let found = this.#known.get(key);
    if (found !== undefined) return found;
    const [oldest] = this.#known.keys();
    if (this.#known.size >= capacity && oldest !== undefined) this.#known.delete(oldest);
    this.#known.set(key, (found = find()));
    return found;
  }

  #numberOf(sent: Sent): number {
    let number = this.#numbers.get(sent);
    if (number === undefined) this.#numbers.set(sent, (number = this.#sent++));
    return number;
  }
}

/** A failure that is being shrunk asks for one after the other. */
const capacity = 200;
