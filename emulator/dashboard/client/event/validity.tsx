import { useMemo } from 'preact/hooks';
import type { Violation } from 'busbar/catalogue';
import { useQuery } from '../query.js';
import { noResponse } from '../requests.js';

/** The violations of a payload, or the reason why it was not validated; undefined during the validation. */
export type Verdict = readonly Violation[] | string | undefined;

/** Validates a payload, if there is one, when it has not changed for `pause` milliseconds. */
export function useVerdict(
  { type, version }: { readonly type: string; readonly version: string },
  payload: unknown,
  pause = 0,
): Verdict {
  const body = useMemo(() => ({ type, version, payload }), [type, version, payload]);
  const path = payload === undefined ? undefined : '/dashboard/validate';
  const { state, value } = useQuery<{ readonly violations: readonly Violation[] }>(path, {
    period: 'once',
    body,
    pause,
  });
  if (state === 'missing') return 'The catalogue does not have this event.';
  return value?.violations ?? (state === 'stale' ? noResponse : undefined);
}

/** Shows whether a payload is valid, with its violations. */
export function Validity({ verdict }: { readonly verdict: Verdict }) {
  if (verdict === undefined) return <p class="validity">Checking …</p>;
  if (verdict.length === 0) {
    return (
      <p class="validity good" data-testid="validity">
        <span aria-hidden="true">✓</span> Matches its schema
      </p>
    );
  }
  const violations = typeof verdict === 'string' ? [] : verdict;
  return (
    <div class="validity bad" data-testid="validity">
      <p>
        <span aria-hidden="true">✕</span>{' '}
        {typeof verdict === 'string' ? verdict : 'Does not match its schema. Consumers dead-letter it.'}
      </p>
      <ul>
        {violations.slice(0, 20).map(({ pointer, message }, index) => (
          <li key={index}>
            <code>{pointer === '' ? 'the payload' : pointer}</code> {message}
          </li>
        ))}
      </ul>
    </div>
  );
}
