import { useState } from 'preact/hooks';
import type { CatalogueEvent } from '../../../../catalogue/event-index.js';
import { asCommand } from '../event/snippets.js';
import { addressOf, follow, place, toThisEmulator } from '../place.js';
import { quoted } from '../run/command-line.js';
import { answer, control, status } from '../run/control.js';
import { Command } from '../shell/empty-state.js';
import { type Draft, draft } from './draft.js';
import type { Verdict } from './use-violations.js';

interface Triggered {
  readonly input: number;
  readonly at: string;
  readonly cell: number;
  readonly key: string;
}

/** Whether it is valid, and sending it: from here, or from a command line. */
export function SendCard({
  event,
  made,
  verdict,
  problem,
}: {
  readonly event: CatalogueEvent;
  readonly made: Draft;
  readonly verdict: Verdict;
  /** Why there is no payload to be sent. */
  readonly problem: string | undefined;
}) {
  const [sent, setSent] = useState<readonly Triggered[]>([]);
  const { violations } = verdict;
  const isValid = violations?.length === 0;
  const key = made.key.trim();
  const send = async () => {
    const isHeld = typeof status.value === 'object' && status.value.state === 'paused';
    const done = await control<{ readonly triggered: readonly Triggered[] }>(
      '/trigger',
      {
        event: event.name,
        payload: made.payload,
        validate: isValid,
        ...(key !== '' && { key }),
      },
      isHeld ? 'Taken in. The run is held: it is sent when the run goes on.' : 'Sent.',
    );
    if (done !== undefined) setSent([...done.triggered, ...sent].slice(0, 10));
  };
  const options = [
    ` ${toThisEmulator()}`,
    ...(key === '' ? [] : [` --key ${quoted(key)}`]),
    ...(isValid ? [] : [' --no-validate']),
  ];
  return (
    <div class="card send">
      <h2>Send</h2>
      {problem !== undefined ? (
        <p class="validity bad" data-testid="validity">
          {problem}
        </p>
      ) : (
        <Judgement verdict={verdict} />
      )}
      <div class="field">
        <label for="key">Key</label>
        <input
          id="key"
          type="text"
          class="mono"
          autocomplete="off"
          spellcheck={false}
          placeholder={`the ${event.key} of the payload`}
          value={made.key}
          onInput={({ currentTarget }) => (draft.value = { ...made, key: currentTarget.value })}
        />
      </div>
      <div class="buttons send-buttons">
        <button
          type="button"
          class="main"
          disabled={problem !== undefined || violations === undefined}
          onClick={() => void send()}
        >
          {isValid || violations === undefined ? 'Send' : 'Send all the same'}
        </button>
      </div>
      <p class={answer.value?.isGood === false ? 'answer bad' : 'answer'} role="status" data-testid="answer">
        {answer.value?.text}
      </p>
      {sent.length > 0 && (
        <ul class="sent" data-testid="sent">
          {sent.map(({ input, at, cell, key: sentKey }) => {
            const found =
              cell === 0
                ? ({ view: 'live', event: undefined } as const)
                : ({ view: 'journeys', customer: cell, event: undefined } as const);
            return (
              <li key={input}>
                <span class="mono quiet">{at.slice(0, 19).replace('T', ' ')}</span>{' '}
                <a href={addressOf({ ...place.value, ...found })} onClick={follow(found)}>
                  {sentKey}
                </a>
              </li>
            );
          })}
        </ul>
      )}
      <h3>The same from a command line</h3>
      <Command
        text={asCommand(
          { type: event.type, version: event.version, payload: made.payload },
          options.join(''),
        )}
      />
    </div>
  );
}

function Judgement({ verdict: { violations } }: { readonly verdict: Verdict }) {
  if (violations === undefined) return <p class="validity">Checking …</p>;
  if (violations.length === 0) {
    return (
      <p class="validity good" data-testid="validity">
        <span aria-hidden="true">✓</span> Valid by its schema
      </p>
    );
  }
  return (
    <div class="validity bad" data-testid="validity">
      <p>
        <span aria-hidden="true">✕</span> Not valid: a consumer sets it aside
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
