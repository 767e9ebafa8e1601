import { isSetAside, keyOf } from './events.js';
import { Explanations, type Handled, type Kill, type Reason, reasons } from './explanations.js';
import type { Journal } from './journal.js';

export interface Evidence {
  readonly sent: number;
  /** By member. */
  readonly journals: readonly Journal[];
  /** Numbers of the events among the dead letters. */
  readonly deadLetters: readonly number[];
  readonly kills: readonly Kill[];
  /** Of the handlers, in milliseconds. */
  readonly deadline: number;
  /** Numbers of the events whose effects are in the database, in their order; absent without an inbox. */
  readonly effects?: readonly number[];
}

export interface Verdict {
  readonly lost: number;
  /** Among the dead letters, though its handler would have succeeded in time: it was late at every attempt. */
  readonly unbidden: number;
  /** Handled for the first time after a later event of its key. */
  readonly misordered: number;
  /** Two handlers of a key at once, though both were waited for. */
  readonly besides: number;
  /** The same, where the member was thrown out or its drain was over while its handler ran: no client can prevent it. */
  readonly overtaken: number;
  /** Handled again, by the reason that members reported. */
  readonly doubled: Readonly<Record<Reason, number>>;
  /** Handled again without a reported reason. */
  readonly unexplained: number;
  /** Handled again, though its position had been committed before. */
  readonly committed: number;
  /** Effects that are in the database more than once, or after one of a later event of the key; none without an inbox. */
  readonly effectsTwice: number;
  readonly effectsMisordered: number;
  /** A fault of the run itself. */
  readonly sentTwice: number;
  /** Some of what should not be. */
  readonly examples: readonly string[];
}

export function judge({ sent, journals, deadLetters, kills, deadline, effects }: Evidence): Verdict {
  const handled = journals
    .flatMap(({ entries }, member) => entries.map((entry): Handled => ({ ...entry, member })))
    .filter(({ kind }) => kind === 'handled')
    .sort((one, other) => one.at - other.at);
  const explanations = new Explanations(journals, kills, deadline);
  const examples: string[] = [];
  const tell = (what: string) => {
    if (examples.length < 10) examples.push(what);
  };

  const before = new Map<number, Handled>();
  const newest = new Map<string, number>();
  const running = new Map<string, Handled>();
  const doubled = Object.fromEntries(reasons.map((reason) => [reason, 0])) as Record<Reason, number>;
  const counts = { misordered: 0, besides: 0, overtaken: 0, unexplained: 0, committed: 0, sentTwice: 0 };
  for (const each of handled) {
    const { n, member, partition, offset } = each;
    const key = keyOf(n);
    const earlier = before.get(n);
    before.set(n, each);
    if (earlier === undefined) {
      const last = newest.get(key) ?? -1;
      if (n < last) {
        counts.misordered++;
        tell(`${n} was handled by member ${member} after ${last} of ${key}`);
      }
      newest.set(key, Math.max(n, last));
    } else if (earlier.partition !== partition || earlier.offset !== offset) {
      counts.sentTwice++;
      tell(`${n} was sent twice: at partition ${partition}, offsets ${earlier.offset} and ${offset}`);
    } else {
      const what = `${n} (partition ${partition}, offset ${offset}) was handled by member ${earlier.member} at ${earlier.at} and again by ${member} at ${each.at}`;
      const reason = explanations.reasonFor(earlier, each);
      if (reason === undefined) {
        counts.unexplained++;
        tell(what);
      } else doubled[reason]++;
      if (explanations.wasCommitted(each) && !explanations.wasEvicted(member, each.begun, each.at)) {
        counts.committed++;
        tell(`${what}, though it was committed`);
      }
    }
    const other = running.get(key);
    if (other !== undefined && other.at > each.begun) {
      if (explanations.wasGivenUp(other) || explanations.wasGivenUp(each)) counts.overtaken++;
      else {
        counts.besides++;
        tell(
          `${other.n} (member ${other.member}) and ${n} (member ${member}) of ${key} were handled at once`,
        );
      }
    }
    running.set(key, each);
  }

  const inDatabase = judgeEffects(effects ?? [], tell);
  // A killed member has not reported its last commits to the database.
  const isHandled = effects === undefined ? before : inDatabase.seen;
  const letters = new Set(deadLetters);
  let lost = 0;
  for (let n = 0; n < sent; n++) {
    if (letters.has(n) || (!isSetAside(n) && isHandled.has(n))) continue;
    lost++;
    tell(`${n} of ${keyOf(n)} was lost`);
  }
  const unbidden = [...letters].filter((n) => !isSetAside(n)).length;
  const { twice: effectsTwice, misordered: effectsMisordered } = inDatabase;
  return { lost, unbidden, ...counts, effectsTwice, effectsMisordered, doubled, examples };
}

function judgeEffects(effects: readonly number[], tell: (what: string) => void) {
  const seen = new Set<number>();
  const newest = new Map<string, number>();
  const counts = { twice: 0, misordered: 0 };
  for (const n of effects) {
    const key = keyOf(n);
    const last = newest.get(key) ?? -1;
    if (seen.has(n)) {
      counts.twice++;
      tell(`the effect of ${n} is in the database twice`);
    } else if (n < last) {
      counts.misordered++;
      tell(`the effect of ${n} is in the database after that of ${last} of ${key}`);
    }
    seen.add(n);
    newest.set(key, Math.max(n, last));
  }
  return { ...counts, seen };
}
