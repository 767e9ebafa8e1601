import { isSetAside, keyOf } from './events.js';
import type { Entry, Journal } from './journal.js';

/** When something was done to a member, or to all. */
export interface Disruption {
  readonly member: number | 'all';
  readonly from: number;
  readonly to: number;
}

export interface Evidence {
  readonly sent: number;
  /** By member. */
  readonly journals: readonly Journal[];
  /** Numbers of the events among the dead letters. */
  readonly deadLetters: readonly number[];
  readonly disruptions: readonly Disruption[];
}

export interface Verdict {
  readonly lost: number;
  /** Handled for the first time after a later event of its key. */
  readonly misordered: number;
  /** Two handlers of a key at once, in members of which none was disturbed. */
  readonly besides: number;
  /** The same, where a member was disturbed and may have been thrown out while its handler ran: no client can prevent it. */
  readonly overtaken: number;
  readonly explained: number;
  readonly unexplained: number;
  /** Some of what should not be. */
  readonly examples: readonly string[];
}

interface Handled extends Entry {
  readonly member: number;
}

export function judge(evidence: Evidence): Verdict {
  const { sent, journals, deadLetters } = evidence;
  const handled = journals
    .flatMap(({ entries }, member) => entries.map((entry): Handled => ({ ...entry, member })))
    .filter(({ kind }) => kind === 'handled')
    .sort((one, other) => one.at - other.at);
  const explanations = new Explanations(evidence);
  const examples: string[] = [];
  const tell = (what: string) => {
    if (examples.length < 10) examples.push(what);
  };

  const first = new Map<number, Handled>();
  const newest = new Map<string, number>();
  const counts = { misordered: 0, besides: 0, overtaken: 0, explained: 0, unexplained: 0 };
  const running = new Map<string, Handled>();
  for (const each of handled) {
    const { n, member } = each;
    const key = keyOf(n);
    const earlier = first.get(n);
    if (earlier === undefined) {
      first.set(n, each);
      const last = newest.get(key) ?? -1;
      if (n < last) {
        counts.misordered++;
        tell(`${n} was handled by member ${member} after ${last} of ${key}`);
      }
      newest.set(key, Math.max(n, last));
    } else if (explanations.explain(earlier, each)) counts.explained++;
    else {
      counts.unexplained++;
      tell(
        `${n} (partition ${each.partition}, offset ${each.offset}) was handled by member ${earlier.member} and again by ${member}`,
      );
    }
    const before = running.get(key);
    if (before !== undefined && before.at > each.begun) {
      const isDisturbed = [before, each].some((one) =>
        explanations.wasDisturbed(one, one.begun, one.at, sessionEnd),
      );
      if (isDisturbed) counts.overtaken++;
      else {
        counts.besides++;
        tell(
          `${before.n} (member ${before.member}) and ${n} (member ${member}) of ${key} were handled at once`,
        );
      }
    }
    running.set(key, each);
  }

  const letters = new Set(deadLetters);
  let lost = 0;
  for (let n = 0; n < sent; n++) {
    if (letters.has(n) || (!isSetAside(n) && first.has(n))) continue;
    lost++;
    tell(`${n} of ${keyOf(n)} was lost`);
  }
  for (const n of letters) if (!isSetAside(n)) tell(`${n} is among the dead letters`);
  return { lost, ...counts, examples };
}

/** What explains that an event is handled again: looked up for each. */
class Explanations {
  readonly #evidence: Evidence;
  /** By member. */
  readonly #failures: readonly (readonly Entry[])[];
  readonly #successes = new Map<string, number[]>();

  constructor(evidence: Evidence) {
    this.#evidence = evidence;
    this.#failures = evidence.journals.map(({ entries }) => entries.filter(({ kind }) => kind === 'failed'));
    for (const [member, { entries }] of evidence.journals.entries()) {
      for (const { kind, partition, offset, at } of entries) {
        if (kind !== 'handled') continue;
        const position = `${member}/${partition}/${offset}`;
        this.#successes.set(position, [...(this.#successes.get(position) ?? []), at]);
      }
    }
  }

  /** Whether something came between the member that handled it first and the commit of its position. */
  explain(first: Handled, again: Handled): boolean {
    return this.wasDisturbed(first, first.at, again.at) || this.#wasBehindFailure(first, again);
  }

  wasDisturbed({ member }: Handled, from: number, to: number, aftermath = 0): boolean {
    const { journals, disruptions } = this.#evidence;
    return (
      disruptions.some(
        (each) =>
          (each.member === 'all' || each.member === member) && each.from <= to && each.to + aftermath >= from,
      ) || journals[member]!.warnings.some(({ at }) => at >= from && at <= to)
    );
  }

  /** A retry that waited, its own or of a record before it, was given up when the partition went. */
  #wasBehindFailure(first: Handled, again: Handled): boolean {
    return this.#failures[first.member]!.some(({ partition, offset, at, n }) => {
      if (partition !== first.partition || offset > first.offset || at > again.at) return false;
      if (isSetAside(n)) return at >= first.at - settingAside;
      const successes = this.#successes.get(`${first.member}/${partition}/${offset}`) ?? [];
      return offset === first.offset || !successes.some((success) => success >= at && success <= first.at);
    });
  }
}

/** Within this time, in nanoseconds, all attempts are made and the dead letter is written. */
const settingAside = 1e9;

/** How long a disturbance works on, in nanoseconds: until the session has run out and the group has settled. */
const sessionEnd = 12e9;
