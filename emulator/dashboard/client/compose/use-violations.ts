import { useEffect, useState } from 'preact/hooks';
import type { CatalogueEvent, Violation } from 'busbar/catalogue';
import { validate } from '../requests.js';

/** Pause after the last key before the payload is validated, in milliseconds. */
const pause = 120;

/** Validates a payload while a user edits it. Returns the last violations; undefined before the first response. */
export function useViolations(
  { type, version }: CatalogueEvent,
  payload: unknown,
): readonly Violation[] | undefined {
  const [violations, setViolations] = useState<readonly Violation[] | undefined>(undefined);
  useEffect(() => {
    if (payload === undefined) return undefined;
    let isCurrent = true;
    const timer = setTimeout(() => {
      void validate(type, version, payload).then((verdict) => {
        if (isCurrent && typeof verdict !== 'string') setViolations(verdict);
      });
    }, pause);
    return () => {
      isCurrent = false;
      clearTimeout(timer);
    };
  }, [type, version, payload]);
  return violations;
}
