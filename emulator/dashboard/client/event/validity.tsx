import { useEffect, useState } from 'preact/hooks';
import type { Violation } from '../../../../catalogue/violations.js';
import { payloadOf, type StreamEvent } from '../stream/stream-event.js';

/** Whether the payload fits its schema, and if not, where. */
export function Validity({ event }: { readonly event: StreamEvent }) {
  const [verdict, setVerdict] = useState<Verdict>({ kind: 'asking' });
  useEffect(() => {
    let isCurrent = true;
    void check(event).then((found) => {
      if (isCurrent) setVerdict(found);
    });
    return () => {
      isCurrent = false;
    };
  }, [event]);
  switch (verdict.kind) {
    case 'asking':
      return <p class="validity">Checking …</p>;
    case 'valid':
      return (
        <p class="validity good" data-testid="validity">
          <span aria-hidden="true">✓</span> Valid by its schema
        </p>
      );
    case 'unknown':
      return (
        <p class="validity bad" data-testid="validity">
          <span aria-hidden="true">✕</span> {verdict.reason}
        </p>
      );
    case 'invalid':
      return (
        <div class="validity bad" data-testid="validity">
          <p>
            <span aria-hidden="true">✕</span> Not valid by its schema
          </p>
          <ul>
            {verdict.violations.slice(0, 20).map(({ pointer, message }, index) => (
              <li key={index}>
                <code>{pointer === '' ? 'the payload' : pointer}</code> {message}
              </li>
            ))}
          </ul>
        </div>
      );
  }
}

type Verdict =
  | { readonly kind: 'asking' | 'valid' }
  | { readonly kind: 'unknown'; readonly reason: string }
  | { readonly kind: 'invalid'; readonly violations: readonly Violation[] };

async function check(event: StreamEvent): Promise<Verdict> {
  const { type, version } = event.about;
  const payload = payloadOf(event);
  if (payload === undefined) return { kind: 'unknown', reason: 'No payload can be read from it' };
  const response = await fetch('/dashboard/validate', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ type, version, payload }),
  }).catch(() => undefined);
  if (response?.ok === true) {
    const { violations } = (await response.json()) as { readonly violations: readonly Violation[] };
    return violations.length === 0 ? { kind: 'valid' } : { kind: 'invalid', violations };
  }
  const reason = response?.status === 400 ? 'The catalogue has no such event' : 'It could not be checked';
  return { kind: 'unknown', reason };
}
