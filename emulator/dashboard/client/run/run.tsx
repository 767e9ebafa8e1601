import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { getJson } from '../requests.js';
import { AnswerText } from '../shell/answer.js';
import { EmptyState, NotConnected } from '../shell/empty-state.js';
import { answer, status } from './control.js';
import { RunCard } from './run-card.js';
import { ScenarioCard } from './scenario-card.js';

/** The run view: starts scenarios and controls the run. */
export function Run() {
  // Faults of the whole run, which the command line of a scenario repeats.
  const faults = useSignal('');
  useEffect(() => {
    void getJson<{ readonly faults: unknown }>('/emulator/v1/faults').then((found) => {
      if (typeof found?.faults === 'string') faults.value = found.faults;
    });
  }, []);
  const { value } = status;
  if (value === 'none') {
    return (
      <EmptyState title="This run cannot be controlled" command="npx emulate --scenario house-move">
        Recordings are replayed unchanged. You can control a run of scenarios:
      </EmptyState>
    );
  }
  if (value === undefined) return <NotConnected />;
  return (
    <section class="pane run" aria-label="Run" data-testid="run">
      <div class="cards">
        <RunCard status={value} faults={faults} />
        <ScenarioCard status={value} faults={faults} />
      </div>
      <AnswerText answer={answer.value} testId="answer" />
    </section>
  );
}
