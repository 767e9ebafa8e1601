import { useState } from 'preact/hooks';
import type { Started } from '../../../control-api/generated/operations.js';
import type { Fork, WhatIf as Futures } from '../../what-if.js';
import { TypeName } from '../domains.js';
import { counted, dateAndTime } from '../instants.js';
import { useQuery } from '../query.js';
import { commandLine } from '../run/command-line.js';
import { status, useControl } from '../run/control.js';
import { useScenarios } from '../run/scenarios.js';
import { Command } from '../shell/empty-state.js';
import { Link } from '../shell/link.js';
import { ResultText } from '../shell/controls.js';
import { go, type OtherOutcome } from '../view-route.js';
import { type Moment, unsent } from './moments.js';
import { Waterfall } from './waterfall.js';

/** The future of a customer as it is and with another outcome of one decision, next to each other. */
export function WhatIf({
  customer,
  fork: { scenario: name, branch, outcome: actual, others },
  instead,
  branches,
}: {
  readonly customer: number;
  readonly fork: Fork;
  readonly instead: OtherOutcome;
  /** All outcomes of the instance. */
  readonly branches: Readonly<Record<string, string>>;
}) {
  const { answer, control } = useControl();
  const { value: run } = status;
  const file = useScenarios().find((scenario) => scenario.name === name)?.file;
  const { outcome } = instead;
  const path = `/dashboard/what-if/${customer}?${new URLSearchParams({ ...instead })}`;
  const { value } = useQuery<Futures>(path, { period: 'once' });
  const chosen = { ...branches, [branch]: outcome };
  const play = async () => {
    const started = await control<Started>('/run/start', { scenario: name, branches: chosen }, '');
    const cell = started?.started[0]?.cell;
    if (cell !== undefined) go({ customer: cell, instead: undefined, event: undefined });
  };
  const [open, setOpen] = useState('');
  const { actual: own = [], other: another = [] } = value ?? {};
  const apart = own.findIndex(
    ({ at, type }, index) => another[index]?.at !== at || another[index].type !== type,
  );
  const shared = apart === -1 ? own.length : apart;
  const momentsOf = (steps: Futures['other'], of: string) =>
    steps.slice(shared).map((step) => unsent(step, 0, 0, of));
  const parting = Math.min(own[shared]?.at ?? Infinity, another[shared]?.at ?? Infinity);
  const futures = [
    { title: 'As it is', outcome: actual, moments: momentsOf(own, 'actual') },
    { title: 'Instead', outcome, moments: momentsOf(another, 'other') },
  ];
  return (
    <section class="card what-if" aria-label="What if" data-testid="what-if">
      <div class="card-head">
        <h2>
          What if <span class="mono">{branch}</span> were
        </h2>
        <div class="segments" role="group" aria-label="Outcome">
          {others.map((other) => (
            <button
              type="button"
              key={other}
              aria-pressed={other === outcome}
              onClick={() => go({ instead: { ...instead, outcome: other } }, 'replace')}
            >
              {other}
            </button>
          ))}
        </div>
        <Link class="button" to={{ instead: undefined }}>
          Close
        </Link>
      </div>
      {value !== undefined && (
        <>
          <p class="parting">
            {shared > 0 &&
              `The first ${counted(shared, 'event')} ${shared === 1 ? 'has' : 'have'} the same type and time, perhaps with other contents. `}
            {parting < Infinity && `The futures diverge at ${dateAndTime(parting).slice(0, 19)}.`}
          </p>
          <Waterfall
            label="Both futures in virtual time"
            bars={futures.map((each) => ({
              id: each.title,
              head: <Title {...each} />,
              moments: each.moments,
              forks: [],
            }))}
            now={0}
            open={open}
            choose={({ id }) => setOpen(id)}
          />
          <div class="futures">
            {futures.map((each, index) => (
              <section key={each.title} aria-label={each.title}>
                <Title {...each} />
                <Steps moments={each.moments} others={futures[1 - index]?.moments ?? []} open={open} />
              </section>
            ))}
          </div>
        </>
      )}
      {typeof run === 'object' && (
        <>
          <div class="buttons">
            <button type="button" class="main" onClick={() => void play()}>
              Play this instead
            </button>
            <span class="quiet">in a new household of this run; or in a new emulator:</span>
          </div>
          <Command
            text={commandLine({
              scenario: file ?? name,
              branches: chosen,
              instances: 1,
              seed: run.seed,
              speed: '',
              faults: '',
            })}
          />
        </>
      )}
      <ResultText answer={answer} testId="what-if-answer" />
    </section>
  );
}

/** The message for an address whose outcome the customer cannot have. */
export function NoWhatIf({ instead: { instance, branch, outcome } }: { readonly instead: OtherOutcome }) {
  return (
    <section class="card" aria-label="What if" data-testid="what-if">
      <p>
        The outcome <b>{outcome}</b> of <b>{branch}</b> would change no event of <b>{instance}</b>, or is
        unknown. Choose a marked decision above.
      </p>
      <div class="buttons below">
        <Link class="button" to={{ instead: undefined }}>
          Close
        </Link>
      </div>
    </section>
  );
}

function Title({ title, outcome }: { readonly title: string; readonly outcome: string }) {
  return (
    <h3>
      {title}: <b>{outcome}</b>
    </h3>
  );
}

/** The steps of a future. Those whose type the other future lacks are marked. */
function Steps({
  moments,
  others,
  open,
}: {
  readonly moments: readonly Moment[];
  readonly others: readonly Moment[];
  readonly open: string;
}) {
  const types = new Set(others.map(({ type }) => type));
  if (moments.length === 0) return <p class="quiet">No further events.</p>;
  return (
    <ol>
      {moments.map(({ id, at, type }) => (
        <li key={id} class={id === open ? 'open' : types.has(type) ? '' : 'only'}>
          <span class="mono quiet">{dateAndTime(at).slice(0, 16)}</span> <TypeName type={type} />
        </li>
      ))}
    </ol>
  );
}
