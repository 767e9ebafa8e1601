/** Promises for conditions on a state that changes: whoever changes it calls `check`. */
export class Conditions {
  readonly #waiting = new Set<Waiting>();
  #abandoned: Error | undefined;

  /** Resolves as soon as the condition holds; at once if it does. */
  until(condition: () => boolean): Promise<void> {
    return new Promise((resolve, reject) => {
      if (this.#abandoned !== undefined) reject(this.#abandoned);
      else if (condition()) resolve();
      else this.#waiting.add({ condition, resolve, reject });
    });
  }

  /** Whether somebody waits. */
  get isAwaited(): boolean {
    return this.#waiting.size > 0;
  }

  check(): void {
    for (const each of this.#waiting) {
      if (!each.condition()) continue;
      this.#waiting.delete(each);
      each.resolve();
    }
  }

  /** The state will not change any more: all that wait now or later are told so. */
  abandon(error: Error): void {
    this.#abandoned = error;
    for (const { reject } of this.#waiting) reject(error);
    this.#waiting.clear();
  }
}

interface Waiting {
  readonly condition: () => boolean;
  readonly resolve: () => void;
  readonly reject: (error: Error) => void;
}
