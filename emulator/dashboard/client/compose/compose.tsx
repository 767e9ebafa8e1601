import { useEffect, useState } from 'preact/hooks';
import type { CatalogueEvent } from 'busbar/catalogue';
import type { Sample } from '../../../control-api/generated/operations.js';
import { catalogue, useEventSchema } from '../catalogue.js';
import { useVerdict } from '../event/validity.js';
import { useQuery } from '../query.js';
import { status } from '../run/control.js';
import { go, viewRoute, toThisEmulator } from '../view-route.js';
import { Select } from '../shell/controls.js';
import { EmptyState } from '../shell/empty-state.js';
import { type Draft, draft } from './draft.js';
import { PayloadFields } from './form-field.js';
import { withValue } from './payload-path.js';
import { RawJson } from './inputs.js';
import { SendCard } from './send-card.js';
import './compose.css';

/** Pause after the last key before the payload is validated, in milliseconds. */
const pause = 120;

const fillings = [
  ['usual', 'some, at random'],
  ['minimal', 'none'],
  ['full', 'all'],
] as const;

/** The composer: a form with a realistic event, to edit and send into the run. */
export function Compose() {
  if (status.value === 'none') {
    return (
      <EmptyState title="This run does not accept events" command="npx emulate --scenario house-move">
        Recordings are replayed unchanged. A run of scenarios accepts events:
      </EmptyState>
    );
  }
  const name = viewRoute.value.compose;
  const event = name === undefined ? undefined : catalogue.value.get(name);
  return (
    <section class="pane compose" aria-label="Compose" data-testid="compose">
      <EventChoice chosen={event} />
      {event !== undefined ? (
        <Editor key={event.name} event={event} />
      ) : name !== undefined && catalogue.value.size > 0 ? (
        <EmptyState title={`The catalogue has no event ${name}`} command="npx busbar catalogue list">
          Choose one above, or list all events:
        </EmptyState>
      ) : (
        <EmptyState
          title="Choose an event"
          command={`npx emulate trigger account.created-v1 ${toThisEmulator()}`}
        >
          The form starts with typical values. Edit them and send the event. On the command line:
        </EmptyState>
      )}
    </section>
  );
}

function EventChoice({ chosen }: { readonly chosen: CatalogueEvent | undefined }) {
  const byDomain = Map.groupBy(catalogue.value.values(), ({ domain }) => domain);
  return (
    <div class="toolbar bar">
      <label>
        Event
        <select
          class="mono"
          value={chosen?.name ?? ''}
          onChange={({ currentTarget: { value } }) => go({ compose: value === '' ? undefined : value })}
        >
          <option value="">choose one</option>
          {[...byDomain].map(([domain, events]) => (
            <optgroup key={domain} label={domain}>
              {events.map(({ name }) => (
                <option key={name} value={name}>
                  {name}
                </option>
              ))}
            </optgroup>
          ))}
        </select>
      </label>
      {chosen !== undefined && <Description key={chosen.name} name={chosen.name} />}
    </div>
  );
}

function Description({ name }: { readonly name: string }) {
  return <p class="quiet">{useEventSchema(name)?.description}</p>;
}

const noSample = { payload: {} };

function Editor({ event }: { readonly event: CatalogueEvent }) {
  const [{ nth, fields, isFilled }, setSample] = useState({
    nth: 0,
    fields: 'usual',
    isFilled: draft.value?.name === event.name,
  });
  const [isRaw, setRaw] = useState(false);
  const [problem, setProblem] = useState<string | undefined>(undefined);
  const path = `/emulator/v1/samples/${encodeURIComponent(event.name)}`;
  const { value: example } = useQuery<Sample>(`${path}?fields=full`, { period: 'once' });
  const wanted = isFilled ? undefined : `${path}?nth=${nth}&fields=${fields}`;
  const { state, value } = useQuery<Sample>(wanted, { period: 'once' });
  // An event without a possible sample begins empty.
  const sample = state === 'missing' ? noSample : value;
  const schema = useEventSchema(event.name);
  const made: Draft | undefined = draft.value?.name === event.name ? draft.value : undefined;
  const verdict = useVerdict(event, made?.payload, pause);
  const violations = typeof verdict === 'string' ? undefined : verdict;

  const fill = (number: number, filling: string) => {
    setSample({ nth: number, fields: filling, isFilled: false });
    setProblem(undefined);
  };
  useEffect(() => {
    if (sample === undefined) return;
    draft.value = { name: event.name, payload: sample.payload, key: '', repeats: undefined };
    setSample({ nth, fields, isFilled: true });
  }, [sample]);

  // Without the schema, each field would be an optional text.
  if (made === undefined || schema === undefined) return null;

  const change = (payload: unknown) => (draft.value = { ...made, payload });
  return (
    <div class="cards">
      <div class="card">
        <div class="card-head">
          <h2>Payload</h2>
          <div class="segments" role="group" aria-label="Editor">
            <button type="button" aria-pressed={!isRaw} onClick={() => setRaw(false)}>
              Form
            </button>
            <button type="button" aria-pressed={isRaw} onClick={() => setRaw(true)}>
              JSON
            </button>
          </div>
        </div>
        {made.repeats !== undefined && (
          <p class="quiet">
            A copy of event {made.repeats}. The emulator sends it as a new event with its own id.
          </p>
        )}
        <div class="buttons fill">
          <button type="button" onClick={() => fill(nth + 1, fields)}>
            New sample
          </button>
          <label>
            Optional fields:{' '}
            <Select value={fields} options={fillings} set={(filling) => fill(nth, filling)} />
          </label>
        </div>
        {isRaw ? (
          <RawJson payload={made.payload} change={change} report={setProblem} />
        ) : (
          <PayloadFields
            form={{
              root: schema,
              payload: made.payload,
              example: example?.payload,
              violations: Map.groupBy(violations ?? [], ({ pointer }) => pointer),
              set: (path, value) => change(withValue(made.payload, path, value)),
            }}
          />
        )}
      </div>
      <SendCard event={event} made={made} violations={violations} problem={isRaw ? problem : undefined} />
    </div>
  );
}
