import { firstEventInvariants } from './first-event.js';
import { moneyInvariants } from './money.js';
import { readServed } from './read-served.js';
import type { Objection, Served, ServedInvariant } from './served.js';
import { termInvariants } from './terms.js';

/** Invariants about what the HTTP APIs return, by theme, in display order. */
export const servedThemes: Readonly<Record<string, readonly ServedInvariant[]>> = {
  'Terms and rates': termInvariants,
  'Energy and money': moneyInvariants,
  'Events and REST': firstEventInvariants,
};

export const servedInvariants: readonly ServedInvariant[] = Object.values(servedThemes).flat();

/** A violation of an invariant by what the HTTP APIs return. */
export interface ServedViolation extends Objection {
  readonly invariant: string;
}

/** Plays a run and checks what the HTTP APIs return about each account. Takes what {@link readServed} takes. */
export async function* checkServed(
  ...run: Parameters<typeof readServed>
): AsyncGenerator<readonly ServedViolation[]> {
  for await (const served of readServed(...run)) yield violationsIn(served);
}

export function violationsIn(served: Served): ServedViolation[] {
  return servedInvariants.flatMap((invariant) =>
    Array.from(invariant.objections(served), (objection) => ({ invariant: invariant.name, ...objection })),
  );
}
