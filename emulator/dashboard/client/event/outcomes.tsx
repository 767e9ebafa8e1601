import type { ConsumerOutcome } from '../../outcomes.js';
import { span, time } from '../instants.js';
import { useQuery } from '../query.js';
import type { StreamEvent } from '../stream/stream-event.js';

type Reported = ConsumerOutcome['reported'][number];

/** The treatment of an event by each consumer, as a timeline: sent, fetched, attempts, result and commit. */
export function Outcomes({ event }: { readonly event: StreamEvent }) {
  const id = event.headers['event-id'] ?? '';
  const { value } = useQuery<Record<string, ConsumerOutcome[]>>(
    `/dashboard/outcomes?event=${encodeURIComponent(id)}`,
  );
  const outcomes = value?.[id] ?? [];
  if (outcomes.length === 0) return null;
  return (
    <section data-testid="outcomes">
      <h3>
        Consumers <span class="faint">wall clock, UTC</span>
      </h3>
      {outcomes.map(({ consumer, reported, fetchedAt, sharesClientId, commit }) => (
        <div key={consumer} class="outcome">
          <b>{consumer}</b>
          <ol class="steps">
            <Step at={event.timestamp} text="sent" />
            {fetchedAt === undefined ? (
              <li class="faint">
                {sharesClientId
                  ? 'fetched at an unknown time: another group has the same client id'
                  : 'time of the fetch not known'}
              </li>
            ) : (
              <Step at={fetchedAt} text="fetched" />
            )}
            {reported.map((each, index) => (
              <Step key={index} at={each.at} text={describe(each)} isBad={isBad(each)} />
            ))}
            {commit?.isDone === true && <Step at={commit.at} text="committed by this time" />}
            {commit?.isDone === false && <li class="faint">not committed yet</li>}
          </ol>
        </div>
      ))}
    </section>
  );
}

function Step({
  at,
  text,
  isBad = false,
}: {
  readonly at: number;
  readonly text: string;
  readonly isBad?: boolean;
}) {
  return (
    <li>
      <span class="mono faint">{time(at)}</span> <span class={isBad ? 'fault' : ''}>{text}</span>
    </li>
  );
}

function describe(reported: Reported): string {
  if ('attempt' in reported) {
    const { attempt, handler, outcome, duration, retryIn } = reported;
    const pause = retryIn === undefined ? '' : `, retried in ${span(retryIn)}`;
    return `attempt ${attempt} of ${handler}: ${outcome} after ${span(duration)}${pause}`;
  }
  const { settled, reason, error } = reported;
  return [settled, reason, error ?? ''].filter((part) => part !== '').join(', ');
}

function isBad(reported: Reported): boolean {
  return 'attempt' in reported ? reported.outcome !== 'handled' : reported.settled === 'dead-lettered';
}

/** Returns a short text for a row: whether each consumer has handled or committed the event. */
export function shortOutcome({ consumer, reported, commit }: ConsumerOutcome): string | undefined {
  const last = reported.findLast((each) => 'settled' in each);
  if (last !== undefined && 'settled' in last) {
    return `${{ handled: '✓', skipped: '–', 'dead-lettered': '✕' }[last.settled]} ${consumer}`;
  }
  if (reported.length > 0) return `… ${consumer}`;
  return commit?.isDone === true ? `✓ ${consumer}` : undefined;
}
