import { EmptyState, NotConnected } from '../shell/empty-state.js';
import { status } from './control.js';
import { RunCard } from './run-card.js';
import { ScenarioCard } from './scenario-card.js';

/** The run view: starts scenarios and controls the run. */
export function Run() {
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
        <RunCard status={value} />
        <ScenarioCard status={value} />
      </div>
    </section>
  );
}
