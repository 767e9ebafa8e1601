import type { Entry, Journal } from './journal.js';

/** Why an event was handled again. */
export const reasons = ['killed', 'evicted', 'not committed', 'abandoned', 'released', 'late'] as const;
export type Reason = (typeof reasons)[number];

/** The time of a member's kill. */
export interface Kill {
  readonly member: number;
  readonly from: number;
  readonly to: number;
}

export interface Handled extends Entry {
  readonly member: number;
}

/**
 * The reports of the members, to compare with their actions. A cut network, for example, explains nothing: the consumer
 * must have reported its consequence.
 */
export class Explanations {
  readonly #journals: readonly Journal[];
  readonly #kills: readonly Kill[];
  readonly #deadline: number;
  /** By partition: offsets below which everything was committed, each greater than those before. */
  readonly #committed = new Map<number, { readonly at: number; readonly offset: number }[]>();

  /** `deadline` is that of the handlers, in milliseconds. */
  constructor(journals: readonly Journal[], kills: readonly Kill[], deadline: number) {
    this.#deadline = deadline * 1e6;
    this.#journals = journals;
    this.#kills = kills;
    const all = journals.flatMap(({ committed }) => committed).sort((one, other) => one.at - other.at);
    for (const { partition, at, offset } of all) {
      const known = this.#committed.get(partition) ?? [];
      this.#committed.set(partition, known);
      if (offset > (known.at(-1)?.offset ?? -1)) known.push({ at, offset });
    }
  }

  /** Of the member that handled it before: what kept it from committing. */
  reasonFor(before: Handled, again: Handled): Reason | undefined {
    // A handler that was given up may have its effect much later.
    const [from, to] = [Math.min(before.begun, again.begun), again.at];
    if (this.#kills.some((kill) => kill.member === before.member && kill.to >= from && kill.from <= to))
      return 'killed';
    if (this.wasEvicted(before.member, from, to)) return 'evicted';
    if (this.#warned(before.member, /were not committed|did not end before the rebalance/, from, to))
      return 'not committed';
    if (this.#warned(before.member, partitionOf(before, 'handler abandoned'), from, to)) return 'abandoned';
    const isLeft = this.#journals[before.member]!.left.some(
      (left) =>
        left.partition === before.partition &&
        left.from <= before.offset &&
        before.offset < left.to &&
        left.at >= from &&
        left.at <= to,
    );
    if (isLeft) return 'released';
    // What ends after its deadline counts as failed, and is tried again.
    return before.at - before.begun >= this.#deadline ? 'late' : undefined;
  }

  /** Whether the consumer has abandoned the handler: the group has removed the member, or its drain was over. */
  wasGivenUp(one: Handled): boolean {
    const { member, begun, at } = one;
    return (
      this.wasEvicted(member, begun, at) ||
      this.#warned(member, partitionOf(one, 'handler abandoned'), begun, at)
    );
  }

  /** It learns of it later, when it is heard again. */
  wasEvicted(member: number, from: number, to: number): boolean {
    return this.#warned(member, /group session timed out/, from, to + untilItLearns);
  }

  /** Whether the offset was committed before the member started the record: then no member must receive it. */
  wasCommitted({ partition, offset, begun }: Entry): boolean {
    const known = this.#committed.get(partition) ?? [];
    let [low, high] = [0, known.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (known[middle]!.offset > offset) high = middle;
      else low = middle + 1;
    }
    return low < known.length && known[low]!.at < begun;
  }

  #warned(member: number, what: RegExp, from: number, to: number): boolean {
    return this.#journals[member]!.warnings.some(({ at, text }) => at >= from && at <= to && what.test(text));
  }
}

function partitionOf({ partition }: Entry, what: string): RegExp {
  return new RegExp(`${what}.*"partition":${partition}\\b`);
}

/** In nanoseconds: its session and its drain, and some trials to reach the group again. */
const untilItLearns = 20e9;
