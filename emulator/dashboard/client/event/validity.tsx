import type { Verdict } from '../requests.js';

/** Shows whether a payload is valid, with its violations. `verdict` is undefined during the validation. */
export function Validity({ verdict }: { readonly verdict: Verdict | undefined }) {
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
