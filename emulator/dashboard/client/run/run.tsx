import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { getJson } from '../catalogue.js';
import { EmptyState } from '../shell/empty-state.js';
import { answer, status } from './control.js';
import { RunCard } from './run-card.js';
import { ScenarioCard } from './scenario-card.js';

/** Starts, holds and hurries the run. */
export function Run() {
  // What was set for the run as a whole, which the command line of a scenario repeats.
  const faults = useSignal('');
  useEffect(() => {
    void getJson<{ readonly faults: unknown }>('/emulator/v1/faults').then((found) => {
      if (typeof found?.faults === 'string') faults.value = found.faults;
    });
  }, []);
  const { value } = status;
  if (value === 'none') {
    return (
      <EmptyState title="This run cannot be steered" command="npx emulate --scenario house-move">
        A recording is sent as it is. A run that plays scenarios can be held, hurried and added to:
      </EmptyState>
    );
  }
  if (value === undefined) {
    return (
      <EmptyState title="The emulator does not answer" command="npx emulate --scenario house-move">
        It has been stopped, or was never started. Start it; this page connects by itself.
      </EmptyState>
    );
  }
  return (
    <section class="pane run" aria-label="Run" data-testid="run">
      <div class="cards">
        <RunCard status={value} faults={faults} />
        <ScenarioCard status={value} faults={faults} />
      </div>
      <p class={`answer ${answer.value?.isGood === false ? 'bad' : ''}`} role="status" data-testid="answer">
        {answer.value?.text}
      </p>
    </section>
  );
}
