import { useState } from 'preact/hooks';
import type { Run as RunStatus } from '../../../control-api/generated/operations.js';
import { FaultField } from '../faults/fault-field.js';
import { count, counted } from '../instants.js';
import { ResultText, Field, ConfirmButton, TextInput } from '../shell/controls.js';
import { isLost } from '../stream/main-feed.js';
import { useControl } from './control.js';

const jumps = [
  ['PT1H', '1 hour'],
  ['P1D', '1 day'],
  ['P7D', '1 week'],
  ['P30D', '30 days'],
] as const;

const noSeed = { isGood: false, text: 'A seed is a number of at most 15 digits.' };

/** The content of the run, with controls for its clock, its faults and a restart. */
export function RunCard({ status }: { readonly status: RunStatus }) {
  const { seed, scenarios, events } = status;
  const [newSeed, setNewSeed] = useState('');
  const clock = useControl();
  const restart = useControl();
  const injected = Object.entries(status.by_fault);
  const isSeed = /^\d{0,15}$/.test(newSeed);
  const next = newSeed === '' ? seed : Number(newSeed);
  return (
    <div class="card">
      <h2>The run</h2>
      <dl class="facts">
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

      <h3>Advance the clock</h3>
      <fieldset class="buttons" disabled={isLost.value}>
        {jumps.map(([by, label]) => (
          <button
            type="button"
            key={by}
            onClick={() =>
              void clock.control('/clock/advance', { by }, `Advanced by ${label}. All due events are sent.`)
            }
          >
            + {label}
          </button>
        ))}
      </fieldset>
      <ResultText answer={clock.answer} testId="advanced" />

      <h3>Faults</h3>
      <FaultField faults={faultsOf(status)} />

      <Field id="seed" label="Restart with seed">
        <TextInput
          id="seed"
          inputMode="numeric"
          pattern="\d{1,15}"
          placeholder={String(seed)}
          value={newSeed}
          set={setNewSeed}
        />
        <ConfirmButton
          label="Restart"
          question="Drop this run?"
          disabled={!isSeed || isLost.value}
          act={() =>
            void restart.control(
              '/run/reset',
              { seed: next },
              `Restarted with seed ${next}.${scenarios.length > 0 ? '' : ' Start a scenario.'}`,
            )
          }
        />
        <ResultText answer={!isSeed ? noSeed : restart.answer} testId="restarted" />
      </Field>
    </div>
  );
}

/** Returns the faults of the run in the form of `--faults`. */
export function faultsOf({ faults }: RunStatus): string {
  if (faults === null || typeof faults === 'string') return faults ?? '';
  return Object.entries(faults)
    .map(([name, value]) => `${name}=${String(value)}`)
    .join(',');
}
