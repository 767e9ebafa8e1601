import type { Signal } from '@preact/signals';
import { useState } from 'preact/hooks';
import type { Run as RunStatus } from '../../../control-api/generated/operations.js';
import { count, counted } from '../instants.js';
import { TextInput } from '../shell/text-input.js';
import { control } from './control.js';

const speeds = [
  ['story', 'Demo'],
  ['1', 'Real time'],
  ['3600', '1 h per second'],
  ['86400', '1 day per second'],
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
  ended: 'finished',
  stopped: 'stopped',
  failed: 'failed: the log of the emulator has the reason',
};

/** Describes the pace of virtual time. */
function paceOf({ speed, rate }: RunStatus): string {
  if (rate !== undefined) return `${counted(rate, 'event')} per second`;
  const [, label] = speeds.find(([value]) => value === String(speed)) ?? [];
  if (speed === 'story') return 'Demo: short gaps in real time, long gaps within seconds';
  return label ?? `${count(Number(speed))} times real time`;
}

/** The state of the run, with controls for pace, faults and a restart. */
export function RunCard({ status, faults }: { readonly status: RunStatus; readonly faults: Signal<string> }) {
  const { state, now, seed, scenarios, events } = status;
  const [newSeed, setNewSeed] = useState('');
  const [written, setWritten] = useState<string | undefined>(undefined);
  const isPaused = state === 'paused';
  const injected = Object.entries(status.by_fault);
  const setSpeed = (value: string) => {
    const body = { speed: /^\d+$/.test(value) ? Number(value) : value };
    void control('/run/speed', body, 'Speed set.');
  };
  const setFaults = async () => {
    const chosen = (written ?? faults.value).trim();
    const set =
      chosen === ''
        ? await control('/faults', undefined, 'Faults cleared.', 'DELETE')
        : await control('/faults', { faults: chosen }, 'Faults set.', 'PUT');
    if (set !== undefined) faults.value = chosen;
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
        <dd>{counted(events, 'event')}</dd>
        <dt>Seed</dt>
        <dd class="mono">{seed}</dd>
        <dt>Scenarios</dt>
        <dd>{scenarios.length === 0 ? 'none: the run waits for input' : scenarios.join(', ')}</dd>
        {injected.length > 0 && (
          <>
            <dt>Injected faults</dt>
            <dd>{injected.map(([fault, times]) => `${fault} ${count(times)}`).join(', ')}</dd>
          </>
        )}
      </dl>

      <h3>Pause and step</h3>
      <div class="buttons">
        <button
          type="button"
          class="main"
          onClick={() =>
            void control(
              `/run/${isPaused ? 'resume' : 'pause'}`,
              {},
              isPaused ? 'Run resumed.' : 'Run paused.',
            )
          }
        >
          {isPaused ? 'Resume' : 'Pause'}
        </button>
        {[1, 10].map((steps) => (
          <button
            type="button"
            key={steps}
            onClick={() => void control('/run/step', { count: steps }, 'Sent. The run is paused.')}
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

      <h3>Advance the clock</h3>
      <div class="buttons">
        {jumps.map(([by, label]) => (
          <button
            type="button"
            key={by}
            onClick={() =>
              void control('/clock/advance', { by }, `Advanced by ${label}. All due events are sent.`)
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
        <TextInput
          id="faults"
          placeholder="duplicate=5%,delay=2%:10m"
          value={written ?? faults.value}
          set={setWritten}
        />
        <button type="submit">Set</button>
      </form>

      <form
        class="field"
        onSubmit={(event) => {
          event.preventDefault();
          const next = newSeed === '' ? seed : Number(newSeed);
          void control('/run/reset', { seed: next }, `Restarted with seed ${next}.`);
        }}
      >
        <label for="seed">Restart with seed</label>
        <TextInput
          id="seed"
          inputMode="numeric"
          pattern="\d{1,15}"
          placeholder={String(seed)}
          value={newSeed}
          set={setNewSeed}
        />
        <button type="submit">Restart</button>
      </form>
    </div>
  );
}
