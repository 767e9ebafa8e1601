import type { Signal } from '@preact/signals';
import { useState } from 'preact/hooks';
import { count } from '../instants.js';
import { control, type RunStatus } from './control.js';

const speeds = [
  ['story', 'Story'],
  ['1', 'Real time'],
  ['3600', '1 h a second'],
  ['86400', '1 day a second'],
  ['instant', 'Instant'],
] as const;

const jumps = [
  ['PT1H', '1 hour'],
  ['P1D', '1 day'],
  ['P7D', '1 week'],
  ['P30D', '30 days'],
] as const;

const words: Readonly<Record<RunStatus['state'], string>> = {
  waiting: 'waiting for a consumer',
  running: 'running',
  paused: 'paused',
  idle: 'nothing left to send',
  ended: 'over',
  stopped: 'stopped',
  failed: 'failed; the log of the emulator says why',
};

/** How virtual time passes, in words. */
function paceOf({ speed, rate }: RunStatus): string {
  if (rate !== undefined) return `${count(rate)} events a second`;
  const [, label] = speeds.find(([value]) => value === String(speed)) ?? [];
  if (speed === 'story') return 'Story: short gaps as they are, long ones in seconds';
  return label ?? `${count(Number(speed))} times as fast as the clock on the wall`;
}

/** The present run: how far it is, its pace, its faults, and beginning anew. */
export function RunCard({ status, faults }: { readonly status: RunStatus; readonly faults: Signal<string> }) {
  const { state, now, seed, scenarios, events } = status;
  const [newSeed, setNewSeed] = useState('');
  const [written, setWritten] = useState<string | undefined>(undefined);
  const isPaused = state === 'paused';
  const done = Object.entries(status.by_fault);
  const setSpeed = (value: string) => {
    const body = { speed: /^\d+$/.test(value) ? Number(value) : value };
    void control('/run/speed', body, 'The run goes on at that speed.');
  };
  const setFaults = async () => {
    const wanted = (written ?? faults.value).trim();
    const set =
      wanted === ''
        ? await control('/faults', undefined, 'No faults from now on.', 'DELETE')
        : await control('/faults', { faults: wanted }, 'These faults are done from now on.', 'PUT');
    if (set !== undefined) faults.value = wanted;
  };
  return (
    <div class="card">
      <h2>The run</h2>
      <dl class="facts">
        <dt>State</dt>
        <dd data-testid="run-state">{words[state]}</dd>
        <dt>Virtual time</dt>
        <dd class="mono">{now.slice(0, 19).replace('T', ' ')}</dd>
        <dt>Speed</dt>
        <dd data-testid="run-speed">{paceOf(status)}</dd>
        <dt>Sent</dt>
        <dd>{count(events)} events</dd>
        <dt>Seed</dt>
        <dd class="mono">{seed}</dd>
        <dt>Scenarios</dt>
        <dd>
          {scenarios.length === 0 ? 'none of its own: it waits for what comes in' : scenarios.join(', ')}
        </dd>
        {done.length > 0 && (
          <>
            <dt>Faults done</dt>
            <dd>{done.map(([fault, times]) => `${fault} ${count(times)}`).join(', ')}</dd>
          </>
        )}
      </dl>

      <h3>Hold and step</h3>
      <div class="buttons">
        <button
          type="button"
          class="main"
          onClick={() =>
            void control(
              `/run/${isPaused ? 'resume' : 'pause'}`,
              {},
              isPaused ? 'The run goes on.' : 'The run is held.',
            )
          }
        >
          {isPaused ? 'Go on' : 'Pause'}
        </button>
        {[1, 10].map((steps) => (
          <button
            type="button"
            key={steps}
            onClick={() => void control('/run/step', { count: steps }, 'Sent, and held again.')}
          >
            {steps === 1 ? 'Next event' : `Next ${steps}`}
          </button>
        ))}
      </div>

      <h3>Speed</h3>
      <div class="buttons" role="group" aria-label="Speed">
        {speeds.map(([value, label]) => (
          <button
            type="button"
            key={value}
            aria-pressed={String(status.speed) === value}
            onClick={() => setSpeed(value)}
          >
            {label}
          </button>
        ))}
      </div>

      <h3>Move the clock</h3>
      <div class="buttons">
        {jumps.map(([by, label]) => (
          <button
            type="button"
            key={by}
            onClick={() =>
              void control('/clock/advance', { by }, `${label} later: all that was due is sent.`)
            }
          >
            + {label}
          </button>
        ))}
      </div>

      <form
        class="field"
        onSubmit={(event) => {
          event.preventDefault();
          void setFaults();
        }}
      >
        <label for="faults">Faults</label>
        <input
          id="faults"
          type="text"
          spellcheck={false}
          autocomplete="off"
          placeholder="duplicate=5%,delay=2%:10m"
          value={written ?? faults.value}
          onInput={(event) => setWritten(event.currentTarget.value)}
        />
        <button type="submit">Set</button>
      </form>

      <form
        class="field"
        onSubmit={(event) => {
          event.preventDefault();
          const wanted = newSeed === '' ? seed : Number(newSeed);
          void control('/run/reset', { seed: wanted }, `Begun again with seed ${wanted}.`);
        }}
      >
        <label for="seed">Begin again with seed</label>
        <input
          id="seed"
          type="text"
          inputMode="numeric"
          pattern="\d{1,15}"
          autocomplete="off"
          placeholder={String(seed)}
          value={newSeed}
          onInput={(event) => setNewSeed(event.currentTarget.value)}
        />
        <button type="submit">Reset</button>
      </form>
    </div>
  );
}
