import { useState } from 'preact/hooks';
import type { CatalogueEvent, Violation } from 'busbar/catalogue';
import type { Triggered } from '../../../control-api/generated/operations.js';
import { asCommand } from '../event/snippets.js';
import { Validity } from '../event/validity.js';
import { toThisEmulator } from '../view-route.js';
import { quoted } from '../run/command-line.js';
import { status, useControl } from '../run/control.js';
import { ResultText, Field, TextInput } from '../shell/controls.js';
import { Command } from '../shell/empty-state.js';
import { Link } from '../shell/link.js';
import { isLost } from '../stream/main-feed.js';
import { type Draft, draft } from './draft.js';

/** The validity of the payload, and buttons and a command to send it. */
export function SendCard({
  event,
  made,
  violations,
  problem,
}: {
  readonly event: CatalogueEvent;
  readonly made: Draft;
  readonly violations: readonly Violation[] | undefined;
  /** Problem of the JSON text. */
  readonly problem: string | undefined;
}) {
  const { answer, control } = useControl();
  const [sent, setSent] = useState<Triggered['triggered']>([]);
  const isValid = violations?.length === 0;
  const key = made.key.trim();
  const send = async () => {
    const isPaused = typeof status.value === 'object' && status.value.state === 'paused';
    const done = await control<Triggered>(
      '/trigger',
      {
        event: event.name,
        payload: made.payload,
        validate: isValid,
        ...(key !== '' && { key }),
      },
      isPaused ? 'Accepted. The paused run sends it when you resume.' : 'Sent.',
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
      <Validity verdict={problem ?? violations} />
      <Field id="key" label="Key">
        <TextInput
          id="key"
          class="mono"
          placeholder={`the ${event.key} of the payload`}
          value={made.key}
          set={(text) => (draft.value = { ...made, key: text })}
        />
      </Field>
      <div class="buttons below">
        <button
          type="button"
          class="main"
          disabled={problem !== undefined || violations === undefined || isLost.value}
          onClick={() => void send()}
        >
          {isValid || violations === undefined ? 'Send' : 'Send anyway'}
        </button>
      </div>
      <ResultText answer={answer} testId="answer" />
      {sent.length > 0 && (
        <ul class="answer" data-testid="triggered">
          {sent.map(({ input, at, cell, key: sentKey }) => (
            <li key={input}>
              <span class="mono quiet">{at.slice(0, 19).replace('T', ' ')}</span>{' '}
              <Link
                to={{
                  event: undefined,
                  ...(cell === 0 ? { view: 'live' } : { view: 'journeys', customer: cell }),
                }}
              >
                {sentKey}
              </Link>
            </li>
          ))}
        </ul>
      )}
      <h3>On the command line</h3>
      <Command
        text={asCommand(
          { type: event.type, version: event.version, payload: made.payload },
          options.join(''),
        )}
      />
    </div>
  );
}
