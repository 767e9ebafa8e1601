import { useEffect, useState } from 'preact/hooks';
import type { CatalogueEvent } from '../../../../catalogue/event-index.js';
import type { Violation } from '../../../../catalogue/violations.js';

/** What the validators of a consumer say about a payload. */
export interface Verdict {
  /** Undefined while it is being asked. */
  readonly violations: readonly Violation[] | undefined;
  readonly byPointer: ReadonlyMap<string, readonly string[]>;
}

/** Milliseconds without a key before it is asked. */
const pause = 120;

const asking: Verdict = { violations: undefined, byPointer: new Map() };

/** Validates while somebody types. What was wrong stays marked until the next answer. */
export function useViolations({ type, version }: CatalogueEvent, payload: unknown): Verdict {
  const [verdict, setVerdict] = useState<Verdict>(asking);
  useEffect(() => {
    if (payload === undefined) return undefined;
    let isCurrent = true;
    const timer = setTimeout(() => {
      void ask({ type, version, payload }).then((violations) => {
        if (isCurrent && violations !== undefined) setVerdict(verdictOf(violations));
      });
    }, pause);
    return () => {
      isCurrent = false;
      clearTimeout(timer);
    };
  }, [type, version, payload]);
  return verdict;
}

async function ask(question: object): Promise<readonly Violation[] | undefined> {
  const response = await fetch('/dashboard/validate', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(question),
  }).catch(() => undefined);
  if (response?.ok !== true) return undefined;
  return ((await response.json()) as { readonly violations: readonly Violation[] }).violations;
}

function verdictOf(violations: readonly Violation[]): Verdict {
  const byPointer = new Map<string, string[]>();
  for (const { pointer, message } of violations) {
    byPointer.set(pointer, [...(byPointer.get(pointer) ?? []), message]);
  }
  return { violations, byPointer };
}
