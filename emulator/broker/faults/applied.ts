/** A fault that the broker applied to a request. */
export interface AppliedFault {
  /** 1 for the first fault that the broker applied. */
  readonly number: number;
  /** The id of the rule or hold. */
  readonly rule: string;
  /** The time of the broker's clock, in milliseconds since the epoch. */
  readonly at: number;
  readonly api: string;
  readonly clientId: string;
  /** The selected partition, for example `orders/0`; null if the request names none or several. */
  readonly partition: string | null;
  /** 1 for the first request of this client and partition that the rule selects. */
  readonly nth: number;
  /** The effect, for example `error NOT_COORDINATOR`. */
  readonly did: string;
}

const maxKept = 10_000;

/** The last 10,000 applied faults. */
export class AppliedFaults {
  readonly #kept: AppliedFault[] = [];
  #last = 0;

  add(fault: Omit<AppliedFault, 'number'>): AppliedFault {
    const applied = { number: (this.#last += 1), ...fault };
    this.#kept.push(applied);
    if (this.#kept.length > maxKept) this.#kept.shift();
    return applied;
  }

  after(number: number): AppliedFault[] {
    return this.#kept.filter((each) => each.number > number);
  }
}
