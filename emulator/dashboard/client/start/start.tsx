import { status, useControl } from '../run/control.js';
import { useScenarios } from '../run/scenarios.js';
import { ResultText } from '../shell/controls.js';
import { consumers } from '../consumers/consumers-state.js';
import { CodeForms } from '../shell/code-forms.js';
import { clientsOf, streamClient } from './clients.js';
import { streamAddress } from '../stream/feed.js';
import './start.css';

const featured = ['house-move', 'join-switch-gain', 'billing-cycle', 'debt-path'];

/** The first page: what the emulator is, scenarios to start, and how to connect a consumer. */
export function Start() {
  const { value: run } = status;
  const isEmpty = typeof run === 'object' && run.scenarios.length === 0;
  return (
    <section class="pane start" aria-label="Start" data-testid="start">
      <header>
        <h2>{isEmpty ? 'Start a scenario' : 'Nothing has been sent yet'}</h2>
        <p>
          This emulator sends the events of an energy platform to your consumer, and this page shows both
          sides.
        </p>
        {typeof run === 'object' && run.state === 'paused' && <p>The run is paused. Resume it, or step.</p>}
      </header>
      {isEmpty && <Scenarios />}
      <Connect />
    </section>
  );
}

/** Four scenarios, the user's own first. */
function Scenarios() {
  const { answer, control } = useControl();
  const all = useScenarios();
  const own = all.filter(({ file }) => file !== undefined);
  const offered = [...own, ...featured.flatMap((name) => all.find((each) => each.name === name) ?? [])];
  return (
    <>
      <ul class="offers">
        {offered.slice(0, 4).map(({ name, title, description }) => (
          <li key={name} class="card">
            <h3>{title}</h3>
            <p class="quiet">{description.split(/(?<=\.) /, 1)}</p>
            <button
              type="button"
              class="main"
              aria-label={`Start ${name}`}
              onClick={() => void control('/run/start', { scenario: name }, `Started ${name}.`)}
            >
              Start
            </button>
          </li>
        ))}
      </ul>
      <ResultText answer={answer} testId="start-answer" />
    </>
  );
}

/** Programs that connect to this emulator, and whether a consumer has done so. */
export function Connect() {
  const { value } = consumers.loaded.value;
  if (value === undefined) return null;
  const { bootstrap_servers: servers, groups, stream } = value;
  const joined =
    groups.find(({ members }) => members.length > 0)?.id ?? stream.find(({ connected }) => connected)?.name;
  return (
    <section class="card connect" aria-label="Connect a consumer">
      <CodeForms
        title="Connect your consumer"
        about="A consumer"
        forms={servers === null ? [['TypeScript', streamClient(streamAddress)]] : clientsOf(servers)}
      />
      <p class={`state ${joined === undefined ? 'waiting' : 'live'}`} role="status" data-testid="joined">
        {joined === undefined ? 'Waiting for your consumer' : `Consumer ${joined} is connected`}
      </p>
    </section>
  );
}
