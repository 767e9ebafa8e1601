import { useSignal } from '@preact/signals';
import { useState } from 'preact/hooks';
import type { Run as RunStatus, Started } from '../../../control-api/generated/operations.js';
import { ResultText, Field, TextInput, Select } from '../shell/controls.js';
import { Command } from '../shell/empty-state.js';
import { Link } from '../shell/link.js';
import { isLost } from '../stream/main-feed.js';
import { commandLine } from './command-line.js';
import { useControl } from './control.js';
import { faultsOf } from './run-card.js';
import { useScenarios } from './scenarios.js';

/** Pattern of the numbers from 1 to 1000. */
const upTo1000 = String.raw`[1-9]\d{0,2}|1000`;

/** A form that starts a scenario with chosen outcomes in the current run. */
export function ScenarioCard({ status }: { readonly status: RunStatus }) {
  const { answer, control, clear } = useControl();
  const all = useScenarios();
  const [chosen, setChosen] = useState<string | undefined>(undefined);
  // A user's own scenario is preselected.
  const name = chosen ?? all.find(({ file }) => file !== undefined)?.name ?? 'house-move';
  const [instances, setInstances] = useState('1');
  const [account, setAccount] = useState('');
  const branches = useSignal<Readonly<Record<string, string>>>({});
  const [started, setStarted] = useState<Started['started']>([]);
  const scenario = all.find((each) => each.name === name);
  if (scenario === undefined) return <div class="card" />;

  const named = account.trim().toUpperCase();
  const times = new RegExp(`^(${upTo1000})$`).test(instances) ? Number(instances) : 1;
  const start = async () => {
    const body = {
      scenario: name,
      instances: times,
      ...(named !== '' && { account: named }),
      ...(Object.keys(branches.value).length > 0 && { branches: branches.value }),
    };
    const result = await control<Started>('/run/start', body, `Started ${name}.`);
    if (result !== undefined) setStarted(result.started);
  };
  return (
    <div class="card">
      <h2>Start a scenario</h2>
      <form
        onInvalidCapture={clear}
        onSubmit={(event) => {
          event.preventDefault();
          void start();
        }}
      >
        <Field id="scenario" label="Scenario">
          <Select
            id="scenario"
            value={name}
            options={all.map((each) => [
              each.name,
              each.file === undefined ? each.name : `${each.name} (yours)`,
            ])}
            set={(next) => {
              setChosen(next);
              branches.value = {};
              setStarted([]);
            }}
          />
        </Field>
        <p class="quiet">
          <b>{scenario.title}.</b> {scenario.description}
        </p>
        {Object.entries(scenario.branches).map(([branch, outcomes]) => (
          <Field key={branch} id={`branch-${branch}`} label={branch}>
            <Select
              id={`branch-${branch}`}
              value={branches.value[branch] ?? ''}
              options={[['', 'random'], ...Object.entries(outcomes).map(withShare)]}
              set={(outcome) => {
                const { [branch]: _, ...others } = branches.value;
                branches.value = outcome === '' ? others : { ...others, [branch]: outcome };
              }}
            />
          </Field>
        ))}
        <Field id="instances" label="Instances">
          <TextInput
            id="instances"
            inputMode="numeric"
            pattern={upTo1000}
            title="A number from 1 to 1000."
            value={instances}
            set={setInstances}
          />
        </Field>
        <Field id="account" label="Account">
          <TextInput id="account" placeholder="a new customer" value={account} set={setAccount} />
        </Field>
        <div class="buttons below">
          <button type="submit" class="main" disabled={isLost.value}>
            Start
          </button>
        </div>
      </form>
      <ResultText answer={answer} testId="answer" />
      {started.length > 0 && (
        <p class="answer links" data-testid="started">
          Started:{' '}
          {started.slice(0, 10).map(({ cell, instance, account: opened }) => (
            <Link key={instance + String(cell)} to={{ view: 'journeys', customer: cell, event: undefined }}>
              {instance} of {opened}
            </Link>
          ))}
        </p>
      )}
      <h3>In a new emulator</h3>
      <Command
        text={commandLine({
          scenario: scenario.file ?? name,
          branches: branches.value,
          instances: times,
          seed: status.seed,
          speed: String(status.speed ?? ''),
          rate: status.rate,
          faults: faultsOf(status),
        })}
      />
    </div>
  );
}

function withShare([outcome, share]: readonly [string, number]): [string, string] {
  return [outcome, `${outcome} (${Number((share * 100).toFixed(1))}%)`];
}
