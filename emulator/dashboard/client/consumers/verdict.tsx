import type { LastVerdict } from '../../last-verdict.js';
import { counted, span } from '../instants.js';
import { useQuery } from '../query.js';
import { emulatorNow } from '../requests.js';
import { Command } from '../shell/empty-state.js';

/** The result of the last `emulate verify` in the folder of the emulator. */
export function Verdict() {
  const { value } = useQuery<LastVerdict | null>('/dashboard/verdict', { period: 5_000 });
  if (value === undefined) return null;
  return (
    <div class="card" data-testid="verdict">
      <div class="card-head">
        <h2>Last verification</h2>
        {value !== null && <span class="quiet">{span(Math.max(0, emulatorNow() - value.at))} ago</span>}
      </div>
      {value === null ? (
        <>
          <p class="quiet">Test your consumer against duplicates, restarts, disorder and outages:</p>
          <Command text="npx emulate verify ./consumer.ts" />
        </>
      ) : (
        <>
          <p class={value.passed ? 'validity good' : 'validity bad'}>
            {value.passed ? '✓ passed' : '✕ failed'}: {counted(value.checks, 'check')},{' '}
            {counted(value.causes.length, 'cause')}
          </p>
          <ul>
            {value.causes.slice(0, 10).map(({ id, title, status }) => (
              <li key={id}>
                <span class={status === 'failed' ? 'fault' : 'mark'}>{status}</span> {title}
              </li>
            ))}
          </ul>
        </>
      )}
    </div>
  );
}
