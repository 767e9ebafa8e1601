import { randomStream } from '../../../emulator/engine/random.js';

export const faultKinds = {
  /** SIGKILL, and another is started. */
  kill: 4,
  /** SIGSTOP for less than the session. */
  pause: 3,
  /** Connections broken, and refused for a while. */
  cut: 3,
  /** Connections that stand while nothing comes through, for less than the session. */
  stall: 2,
  delay: 2,
  /** A member more, up to three. */
  join: 4,
  /** A member less, down to one: the member stops. */
  leave: 4,
  /** The broker goes and comes back. */
  broker: 1,
  /** Dead letters cannot be written. */
  'dead-letters': 2,
} as const;

export type FaultKind = keyof typeof faultKinds;

export const allKinds = Object.keys(faultKinds) as readonly FaultKind[];

export interface Fault {
  readonly kind: FaultKind;
  /** The selected member, as a fraction in [0, 1). */
  readonly whom: number;
  /** Milliseconds. */
  readonly duration: number;
  /** After how many more events were handled. */
  readonly after: number;
}

/** The faults of a run, by seed; each kind at least once where there is room. */
export function planOf(
  seed: number,
  count: number,
  events: number,
  kinds: readonly FaultKind[] = allKinds,
): Fault[] {
  const random = randomStream('faults', seed);
  const weights = Object.fromEntries(kinds.map((kind) => [kind, faultKinds[kind]])) as Record<
    FaultKind,
    number
  >;
  const share = Math.floor((events * 0.9) / count);
  const plan = Array.from({ length: count }, (_, n) => ({
    kind: kinds[n] ?? random.weighted(weights),
    whom: random.next(),
    duration: random.integer(200, 1_200),
    after: random.integer(Math.floor(share / 2), share),
  }));
  // Not in the order of the table.
  for (let at = plan.length - 1; at > 0; at--) {
    const other = random.integer(0, at);
    [plan[at], plan[other]] = [plan[other]!, plan[at]!];
  }
  return plan;
}
