import { useEffect, useState } from 'preact/hooks';
import { getJson } from '../catalogue.js';
import { count } from '../instants.js';
import { addressOf, follow, place } from '../place.js';
import { Command } from '../shell/empty-state.js';
import type { TopicState } from './consumers-state.js';

interface Letter {
  readonly id: string;
  readonly set_aside_at: string;
  readonly code: string;
  readonly message: string;
  readonly error: LetterError | null;
  readonly event: string | null;
  readonly event_id: string | null;
  readonly handler: string | null;
  readonly attempts: number;
  readonly group: string | null;
  readonly origin: { readonly topic: string; readonly partition: number; readonly offset: number };
  readonly replayed: boolean;
}

/** `message` and `stack` where the consumer keeps them. */
interface LetterError {
  readonly class: string;
  readonly cause?: string;
  readonly code?: string;
  readonly at?: string;
  readonly message?: string;
  readonly stack?: string;
}

interface Letters {
  readonly letters: readonly Letter[];
  readonly total: number;
}

/** What consumers have set aside, why, and sending it to be handled again. */
export function DeadLetters({
  topics,
  brokers,
}: {
  readonly topics: readonly TopicState[];
  readonly brokers: string;
}) {
  const [{ letters, total }, setLetters] = useState<Letters>({ letters: [], total: 0 });
  const [said, setSaid] = useState<{ readonly isGood: boolean; readonly text: string } | undefined>(
    undefined,
  );
  const [replays, setReplays] = useState(0);
  const written = topics.reduce((sum, topic) => sum + topic.written, 0);
  useEffect(() => {
    let isCurrent = true;
    void getJson<Letters>('/emulator/v1/dead-letters').then((found) => {
      if (isCurrent && found !== undefined) setLetters(found);
    });
    return () => {
      isCurrent = false;
    };
  }, [written, replays]);
  const replay = async (wanted: { readonly id?: string }) => {
    setSaid(await replayed(wanted));
    setReplays((times) => times + 1);
  };
  const waiting = letters.filter((letter) => !letter.replayed).length;
  return (
    <div class="card" data-testid="dead-letters">
      <div class="card-head">
        <h2>Dead letters</h2>
        <span class="lag">
          <b>{count(total)}</b> <span class="quiet">set aside</span>
        </span>
        <button type="button" disabled={waiting === 0} onClick={() => void replay({})}>
          Replay all
        </button>
      </div>
      {letters.length === 0 ? (
        <p class="quiet">None. A record that a handler gives up comes here, with the reason.</p>
      ) : (
        <ul class="letters">
          {letters.slice(0, 100).map((letter) => (
            <LetterRow key={letter.id} letter={letter} replay={() => void replay({ id: letter.id })} />
          ))}
        </ul>
      )}
      {total > 100 && <p class="quiet">The newest 100 of {count(total)}.</p>}
      <p class={said?.isGood === false ? 'answer bad' : 'answer'} role="status" data-testid="replayed">
        {said?.text}
      </p>
      {waiting > 0 && (
        <Command
          text={`npx busbar dead-letters replay --brokers ${brokers} --topic ${letters[0]?.origin.topic ?? ''}`}
        />
      )}
    </div>
  );
}

function LetterRow({ letter, replay }: { readonly letter: Letter; readonly replay: () => void }) {
  const { code, message, error, event, event_id: id, handler, attempts, group, origin } = letter;
  const found = { view: 'live', filter: { text: id ?? '' }, event: undefined } as const;
  return (
    <li class="letter">
      <div class="letter-what">
        <p>
          <span class="fault">{code}</span> <b>{event ?? 'an event that cannot be read'}</b>
        </p>
        <p class="quiet">{message}</p>
        <p class="faint letter-where">
          <span>
            {origin.topic}/{origin.partition}/{origin.offset}
          </span>
          {group !== null && <span>group {group}</span>}
          {handler !== null && <span>handler {handler}</span>}
          <span>{attempts === 1 ? '1 attempt' : `${attempts} attempts`}</span>
          <span>{letter.set_aside_at.slice(0, 19).replace('T', ' ')}</span>
        </p>
        {error !== null && <Thrown error={error} />}
      </div>
      <div class="buttons">
        {id !== null && (
          <a class="button" href={addressOf({ ...place.value, ...found })} onClick={follow(found)}>
            Event
          </a>
        )}
        {letter.replayed ? (
          <span class="mark">replayed</span>
        ) : (
          <button type="button" aria-label={`Replay ${letter.id}`} onClick={replay}>
            Replay
          </button>
        )}
      </div>
    </li>
  );
}

function Thrown({ error }: { readonly error: LetterError }) {
  return (
    <>
      <p class="letter-where">
        <span>
          <b>{error.class}</b>
          {error.cause !== undefined && ` caused by ${error.cause}`}
        </span>
        {error.code !== undefined && <code>{error.code}</code>}
        {error.at !== undefined && <code>{error.at}</code>}
      </p>
      {error.message !== undefined && <p>{error.message}</p>}
      {error.stack !== undefined && (
        <pre class="raw" tabIndex={0} aria-label="Stack">
          {error.stack}
        </pre>
      )}
    </>
  );
}

async function replayed(wanted: { readonly id?: string }) {
  const response = await fetch('/emulator/v1/dead-letters/replay', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(wanted),
  }).catch(() => undefined);
  const answer = (await response?.json().catch(() => undefined)) as
    | { readonly replayed?: number; readonly message?: string }
    | undefined;
  if (response?.ok !== true || answer?.replayed === undefined) {
    return { isGood: false, text: answer?.message ?? 'The emulator does not answer.' };
  }
  const text =
    answer.replayed === 1 ? '1 record was sent again.' : `${count(answer.replayed)} records were sent again.`;
  return { isGood: true, text };
}
