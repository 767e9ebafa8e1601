import { useState } from 'preact/hooks';
import type { Consumers, DeadLetters as List, Replayed } from '../../../control-api/generated/operations.js';
import { getJson, request, useLoaded } from '../requests.js';
import { count, counted, noun } from '../instants.js';
import { type Answer, AnswerText } from '../shell/answer.js';
import { Command } from '../shell/empty-state.js';
import { Link } from '../shell/link.js';

type DeadLetter = List['letters'][number];

/** The dead letters of all consumers, with buttons to replay them. */
export function DeadLetters({ topics, brokers }: Pick<Consumers, 'topics'> & { readonly brokers: string }) {
  const [answer, setAnswer] = useState<Answer | undefined>(undefined);
  const [replays, setReplays] = useState(0);
  const written = topics.reduce((sum, topic) => sum + topic.written, 0);
  const { letters, total } = useLoaded(
    () => getJson<List>('/emulator/v1/dead-letters'),
    [written, replays],
  ) ?? { letters: [], total: 0 };
  const replay = async (selection: { readonly id?: string }) => {
    const describe = ({ replayed }: Replayed) => `${counted(replayed, 'record')} replayed.`;
    setAnswer((await request('/dead-letters/replay', selection, describe)).answer);
    setReplays((times) => times + 1);
  };
  const waiting = letters.filter((letter) => !letter.replayed).length;
  return (
    <div class="card" data-testid="dead-letters">
      <div class="card-head">
        <h2>Dead letters</h2>
        <span class="lag">
          <b>{count(total)}</b> <span class="quiet">{noun(total, 'record')}</span>
        </span>
        <button type="button" disabled={waiting === 0} onClick={() => void replay({})}>
          Replay all
        </button>
      </div>
      {letters.length === 0 ? (
        <p class="quiet">None. A record that a consumer cannot handle appears here with the reason.</p>
      ) : (
        <ul class="letters">
          {letters.slice(0, 100).map((letter) => (
            <LetterRow key={letter.id} letter={letter} replay={() => void replay({ id: letter.id })} />
          ))}
        </ul>
      )}
      {total > 100 && <p class="quiet">This list has the newest 100 of {count(total)}.</p>}
      <AnswerText answer={answer} testId="replayed" />
      {waiting > 0 && (
        <Command
          text={`npx busbar dead-letters replay --brokers ${brokers} --topic ${letters[0]?.origin.topic ?? ''}`}
        />
      )}
    </div>
  );
}

function LetterRow({ letter, replay }: { readonly letter: DeadLetter; readonly replay: () => void }) {
  const { code, message, error, event, event_id: id, handler, attempts, group, origin } = letter;
  return (
    <li class="letter">
      <div class="letter-what">
        <p>
          <span class="fault">{code}</span> <b>{event ?? 'unreadable event'}</b>
        </p>
        <p class="quiet">{message}</p>
        <p class="faint letter-where">
          <span>
            {origin.topic}/{origin.partition}/{origin.offset}
          </span>
          {group !== null && <span>group {group}</span>}
          {handler !== null && <span>handler {handler}</span>}
          <span>{counted(attempts, 'attempt')}</span>
          <span>{letter.dead_lettered_at.slice(0, 19).replace('T', ' ')}</span>
        </p>
        {error !== null && <Thrown error={error} />}
      </div>
      <div class="buttons">
        {id !== null && (
          <Link class="button" to={{ view: 'live', filter: { text: id }, event: undefined }}>
            Event
          </Link>
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

function Thrown({ error }: { readonly error: NonNullable<DeadLetter['error']> }) {
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
