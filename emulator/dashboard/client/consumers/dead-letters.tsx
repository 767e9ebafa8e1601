import { useEffect, useState } from 'preact/hooks';
import type { DeadLetters as Page, Discarded, Replayed } from '../../../control-api/generated/operations.js';
import { count, counted } from '../instants.js';
import { useQuery } from '../query.js';
import { useControl } from '../run/control.js';
import { ConfirmButton, ResultText } from '../shell/controls.js';
import { Command } from '../shell/empty-state.js';
import { Link } from '../shell/link.js';
import { isLost } from '../stream/main-feed.js';

type DeadLetter = Page['letters'][number];
type Cause = Page['causes'][number];

const pageSize = 100;

const states = ['pending', 'failed-again', 'replayed', 'discarded'] as const;

/** The dead letters of all consumers by cause and state, page by page, with buttons to replay and discard them. */
export function DeadLetters({ brokers }: { readonly brokers: string }) {
  const { answer, control } = useControl();
  const [state, setState] = useState<DeadLetter['state'] | undefined>(undefined);
  const [cause, setCause] = useState<string | undefined>(undefined);
  /** Upper bounds of the pages up to this one; empty on the newest page. */
  const [bounds, setBounds] = useState<readonly number[]>([]);
  const bound = bounds.at(-1);
  const filters = `${state === undefined ? '' : `&state=${state}`}${bound === undefined ? '' : `&before=${bound}`}`;
  const chosen = cause === undefined ? '' : `&cause=${cause}`;
  const { value, refresh } = useQuery<Page>(
    `/emulator/v1/dead-letters?limit=${pageSize}${chosen}${filters}`,
    { subject: 'dead letters' },
  );
  const isGone = cause !== undefined && value?.causes.every(({ id }) => id !== cause) === true;
  useEffect(() => {
    if (!isGone) return;
    setCause(undefined);
    setBounds([]);
  }, [isGone]);
  const actionsOn = (selection: { readonly id?: string; readonly cause?: string }) => ({
    replay: () => {
      const done = ({ replayed }: Replayed) => `${counted(replayed, 'record')} replayed.`;
      void control('/dead-letters/replay', selection, done).then(refresh);
    },
    discard: () => {
      const done = ({ discarded }: Discarded) => `${counted(discarded, 'dead letter')} discarded.`;
      void control('/dead-letters/discard', selection, done).then(refresh);
    },
  });
  if (value === undefined) return <p class="card quiet">Loading dead letters …</p>;
  const { letters, total, pending, replayed, failed_again: failedAgain, discarded } = value;
  const counts = { pending, replayed, 'failed-again': failedAgain, discarded };
  const waiting = pending + failedAgain;
  const last = letters.at(-1);
  return (
    <fieldset class="card" disabled={isLost.value} data-testid="dead-letters">
      <div class="card-head">
        <h2>Dead letters</h2>
        <div class="segments" role="group" aria-label="State">
          {states.map((name) => (
            <button
              type="button"
              key={name}
              aria-pressed={state === name}
              onClick={() => {
                setState(state === name ? undefined : name);
                setBounds([]);
              }}
            >
              <b>{count(counts[name])}</b> {name.replace('-', ' ')}
            </button>
          ))}
        </div>
        <ConfirmButton
          label="Replay all"
          question={`Replay ${counted(waiting, 'record')}?`}
          disabled={waiting === 0}
          act={actionsOn({}).replay}
        />
      </div>
      <ResultText answer={answer} testId="replayed" />
      {total === 0 && (
        <p class="quiet">None. A record that a consumer cannot handle appears here with the reason.</p>
      )}
      <ul aria-label="Causes">
        {value.causes.map((each) => (
          <CauseRow
            key={each.id}
            cause={each}
            isChosen={each.id === cause}
            choose={() => {
              setCause(each.id === cause ? undefined : each.id);
              setBounds([]);
            }}
            {...actionsOn({ cause: each.id })}
          />
        ))}
      </ul>
      {total > 0 && letters.length === 0 && <p class="quiet">None in this state.</p>}
      <ul class="letters">
        {letters.map((letter) => (
          <LetterRow key={letter.id} letter={letter} {...actionsOn({ id: letter.id })} />
        ))}
      </ul>
      {(bound !== undefined || letters.length === pageSize) && (
        <div class="buttons below">
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
    </fieldset>
  );
}

interface Actions {
  readonly replay: () => void;
  readonly discard: () => void;
}

/** The dead letters of one event and handler that failed in the same way. */
function CauseRow({
  cause: { event, handler, group, code, error, at, pending, failed_again: again, replayed, discarded },
  isChosen,
  choose,
  replay,
  discard,
}: Actions & { readonly cause: Cause; readonly isChosen: boolean; readonly choose: () => void }) {
  const waiting = pending + again;
  const about = [event ?? 'unreadable event', error ?? code, at, handler, group].filter(Boolean).join(', ');
  const settled = [
    ...(replayed > 0 ? [`${count(replayed)} replayed`] : []),
    ...(discarded > 0 ? [`${count(discarded)} discarded`] : []),
  ];
  return (
    <li class="cause stacked">
      <button type="button" class="fold letter-what" aria-pressed={isChosen} onClick={choose}>
        <b>{count(waiting)}</b> × <span class="fault">{error ?? code}</span>{' '}
        <b>{event ?? 'unreadable event'}</b>
        <span class="faint letter-where">
          {at !== null && <code>{at}</code>}
          {handler !== null && <span>handler {handler}</span>}
          {group !== null && <span>group {group}</span>}
        </span>
      </button>
      <span class="quiet">{settled.join(', ')}</span>
      {waiting > 0 && (
        <div class="buttons">
          <button type="button" aria-label={`Replay ${count(waiting)}, ${about}`} onClick={replay}>
            Replay {count(waiting)}
          </button>
          <ConfirmButton
            label="Discard"
            question={`Discard ${count(waiting)}?`}
            about={about}
            act={discard}
          />
        </div>
      )}
    </li>
  );
}

function LetterRow({ letter, replay, discard }: Actions & { readonly letter: DeadLetter }) {
  const { code, message, error, event, event_id: id, handler, attempts, group, origin, state } = letter;
  return (
    <li class="letter stacked">
      <div class="letter-what">
        <p>
          <span class="fault">{code}</span> <b>{event ?? 'unreadable event'}</b>{' '}
          {(state === 'replayed' || state === 'discarded') && <span class="mark">{state}</span>}
          {state === 'failed-again' && (
            <span class="mark">failed again after {counted(letter.replays, 'replay')}</span>
          )}
        </p>
        <p class="quiet">{message}</p>
        <p class="faint letter-where">
          <span>
            {origin.topic}/{origin.partition}/{origin.offset}
          </span>
          {group !== null && <span>group {group}</span>}
          {handler !== null && <span>handler {handler}</span>}
          <span>{counted(attempts, 'attempt')}</span>
          <span>{letter.dead_lettered_at.slice(0, 19).replace('T', ' ')} UTC</span>
        </p>
        {error !== null && <Thrown error={error} />}
      </div>
      <div class="buttons">
        {id !== null && (
          <Link
            class="button"
            to={{ view: 'live', filter: { text: id }, event: undefined }}
            aria-label={`Event ${letter.id}`}
          >
            Event
          </Link>
        )}
        {(state === 'pending' || state === 'failed-again') && (
          <>
            <button type="button" aria-label={`Replay ${letter.id}`} onClick={replay}>
              Replay
            </button>
            <ConfirmButton label="Discard" question="Discard it?" about={letter.id} act={discard} />
          </>
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
