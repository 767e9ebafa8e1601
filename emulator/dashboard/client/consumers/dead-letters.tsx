import { useState } from 'preact/hooks';
import type { DeadLetters as Page, Replayed } from '../../../control-api/generated/operations.js';
import { count, counted } from '../instants.js';
import { useQuery } from '../query.js';
import { useControl } from '../run/control.js';
import { ResultText } from '../shell/result-text.js';
import { ConfirmButton } from '../shell/confirm-button.js';
import { Command } from '../shell/empty-state.js';
import { Link } from '../shell/link.js';
import { visible, visibleLines } from '../visible.js';

type DeadLetter = Page['letters'][number];

const pageSize = 100;

const states = [
  ['pending', 'pending'],
  ['failed-again', 'failed again'],
  ['replayed', 'replayed'],
] as const;

/** The dead letters of all consumers by state, page by page, with buttons to replay them. */
export function DeadLetters({ brokers }: { readonly brokers: string }) {
  const { answer, control } = useControl();
  const [state, setState] = useState<DeadLetter['state'] | undefined>(undefined);
  /** Upper bounds of the pages up to this one; empty on the newest page. */
  const [bounds, setBounds] = useState<readonly number[]>([]);
  const bound = bounds.at(-1);
  const filters = `${state === undefined ? '' : `&state=${state}`}${bound === undefined ? '' : `&before=${bound}`}`;
  const { value, refresh } = useQuery<Page>(
    `/emulator/v1/dead-letters?limit=${pageSize}${filters}`,
    'dead letters',
  );
  const replay = async (selection: { readonly id?: string }) => {
    const done = ({ replayed }: Replayed) => `${counted(replayed, 'record')} replayed.`;
    await control('/dead-letters/replay', selection, done);
    refresh();
  };
  if (value === undefined) return <p class="card quiet">Loading dead letters …</p>;
  const { letters, total, pending, replayed, failed_again: failedAgain } = value;
  const counts = { pending, replayed, 'failed-again': failedAgain };
  const waiting = pending + failedAgain;
  const last = letters.at(-1);
  return (
    <div class="card" data-testid="dead-letters">
      <div class="card-head">
        <h2>Dead letters</h2>
        <div class="segments" role="group" aria-label="State">
          {states.map(([name, label]) => (
            <button
              type="button"
              key={name}
              aria-pressed={state === name}
              onClick={() => {
                setState(state === name ? undefined : name);
                setBounds([]);
              }}
            >
              <b>{count(counts[name])}</b> {label}
            </button>
          ))}
        </div>
        <ConfirmButton
          label="Replay all"
          question={`Replay ${counted(waiting, 'record')}?`}
          disabled={waiting === 0}
          act={() => void replay({})}
        />
      </div>
      <ResultText answer={answer} testId="replayed" />
      {total === 0 && (
        <p class="quiet">None. A record that a consumer cannot handle appears here with the reason.</p>
      )}
      {total > 0 && letters.length === 0 && <p class="quiet">None in this state.</p>}
      <ul class="letters">
        {letters.map((letter) => (
          <LetterRow key={letter.id} letter={letter} replay={() => void replay({ id: letter.id })} />
        ))}
      </ul>
      {(bound !== undefined || letters.length === pageSize) && (
        <div class="buttons pages">
          <button type="button" disabled={bound === undefined} onClick={() => setBounds(bounds.slice(0, -1))}>
            Newer
          </button>
          <button
            type="button"
            disabled={letters.length < pageSize}
            onClick={() => last !== undefined && setBounds([...bounds, last.number])}
          >
            Older
          </button>
        </div>
      )}
      {waiting > 0 && (
        <Command
          text={`npx busbar dead-letters replay --brokers ${brokers} --topic ${last?.origin.topic ?? 'TOPIC'}`}
        />
      )}
    </div>
  );
}

function LetterRow({ letter, replay }: { readonly letter: DeadLetter; readonly replay: () => void }) {
  const { code, message, error, event, event_id: id, handler, attempts, group, origin, state } = letter;
  return (
    <li class="letter">
      <div class="letter-what">
        <p>
          <span class="fault">{code}</span> <b>{visible(event ?? 'unreadable event')}</b>{' '}
          {state === 'replayed' && <span class="mark">replayed</span>}
          {state === 'failed-again' && (
            <span class="mark">failed again after {counted(letter.replays, 'replay')}</span>
          )}
        </p>
        <p class="quiet">{visible(message)}</p>
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
        {state !== 'replayed' && (
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
      {error.message !== undefined && <p>{visible(error.message)}</p>}
      {error.stack !== undefined && (
        <pre class="raw" tabIndex={0} aria-label="Stack">
          {visibleLines(error.stack)}
        </pre>
      )}
    </>
  );
}
