import { consumers } from '../consumers/consumers-state.js';
import { count, counted, noun } from '../instants.js';
import { isRefused } from '../requests.js';
import { ResultText, Select } from '../shell/controls.js';
import { Link } from '../shell/link.js';
import { isLost, mainFeed } from '../stream/main-feed.js';
import type { RunReport } from '../stream/feed.js';
import { status, useControl } from './control.js';
import './run.css';

const speeds = [
  ['story', 'Demo'],
  ['1', 'Real time'],
  ['60', '1 min per second'],
  ['3600', '1 h per second'],
  ['86400', '1 day per second'],
  ['instant', 'Instant'],
] as const;

const words: Readonly<Record<RunReport['state'], string>> = {
  waiting: 'waiting for a consumer',
  running: 'running',
  paused: 'paused',
  idle: 'all sent',
  ended: 'finished',
  stopped: 'stopped',
  failed: 'failed, see the log',
};

/** The state of the run and its consumers, with the controls that every view needs. */
export function RunBar() {
  const run = mainFeed.run.value;
  const state = isLost.value ? 'lost' : (run?.state ?? 'connecting');
  const word = isLost.value
    ? isRefused.value
      ? 'not connected: open the address that the emulator printed'
      : 'not connected'
    : run === undefined
      ? 'connecting'
      : isUnused(run)
        ? 'ready'
        : words[run.state];
  return (
    <fieldset class="toolbar run-bar" aria-label="Run" disabled={isLost.value}>
      <span class={`state ${state}`} role="status" data-testid="state">
        {word}
      </span>
      {run !== undefined && (
        <>
          <time class="mono" title="Virtual time" data-testid="now">
            {run.now.slice(0, 19).replace('T', ' ')}
          </time>
          <span class="quiet">
            <span data-testid="sent">{count(run.events)}</span> {noun(run.events, 'event')}
          </span>
        </>
      )}
      <Controls />
      <Connected />
    </fieldset>
  );
}

/** Whether the run has had nothing to send. */
function isUnused({ state, events }: RunReport): boolean {
  return state === 'idle' && events === 0;
}

function Controls() {
  const { answer, control } = useControl();
  const { value } = status;
  if (typeof value !== 'object') return null;
  const { state, speed, rate, faults } = value;
  const isPaused = state === 'paused';
  const hasNothing = ['idle', 'ended', 'stopped', 'failed'].includes(state);
  const chosen = String(speed ?? `${rate} events`);
  const known = speeds.some(([each]) => each === chosen);
  const other =
    rate === undefined ? `${count(Number(speed))} times real time` : `${counted(rate, 'event')} per second`;
  const act = (path: string, body: object) => void control(path, body, '');
  const setSpeed = (text: string) => act('/run/speed', { speed: /^\d+$/.test(text) ? Number(text) : text });
  return (
    <>
      {!isUnused(value) && (
        <span class="segments">
          <button
            type="button"
            class="main"
            disabled={hasNothing}
            onClick={() => act(`/run/${isPaused ? 'resume' : 'pause'}`, {})}
          >
            {isPaused ? 'Resume' : 'Pause'}
          </button>
          <button type="button" disabled={hasNothing} onClick={() => act('/run/step', { count: 1 })}>
            Step
          </button>
        </span>
      )}
      <Select
        aria-label="Speed"
        value={chosen}
        options={known ? speeds : [[chosen, other], ...speeds]}
        set={setSpeed}
        data-testid="speed"
      />
      {faults !== null && (
        <Link class="fault" to={{ view: 'run', event: undefined }} title="Faults in force">
          {typeof faults === 'string' ? faults : Object.keys(faults).join(', ')}
        </Link>
      )}
      <ResultText answer={answer} testId="bar-answer" />
    </>
  );
}

/** The consumer with the greatest lag, and the number of dead letters that wait. */
function Connected() {
  const { value } = consumers.loaded.value;
  if (value === undefined) return null;
  const all = [...value.groups.map(({ id, lag }) => ({ name: id, lag })), ...value.stream];
  const [worst] = all.sort((one, other) => other.lag - one.lag);
  const to = { view: 'consumers', event: undefined } as const;
  return (
    <span class="connected">
      {worst !== undefined && (
        <Link to={to}>
          {worst.name} {worst.lag === 0 ? 'is up to date' : `is ${counted(worst.lag, 'record')} behind`}
        </Link>
      )}
      {value.dead_letters > 0 && (
        <Link class="fault" to={to}>
          {counted(value.dead_letters, 'dead letter')}
        </Link>
      )}
    </span>
  );
}
