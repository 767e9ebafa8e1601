import { useEffect, useState } from 'preact/hooks';
import type { CatalogueEvent } from '../../../../catalogue/event-index.js';
import { catalogue, getJson } from '../catalogue.js';
import { useSchema } from '../event/event-panel.js';
import { status } from '../run/control.js';
import { go, place, toThisEmulator } from '../place.js';
import { EmptyState } from '../shell/empty-state.js';
import { type Draft, draft } from './draft.js';
import { ObjectFields } from './form-field.js';
import { withValue } from './payload-path.js';
import { RawJson } from './raw-json.js';
import { SendCard } from './send-card.js';
import { useViolations } from './use-violations.js';

interface Sample {
  readonly key: string;
  readonly payload: unknown;
}

const fillings = [
  ['usual', 'some, by chance'],
  ['minimal', 'none'],
  ['full', 'all'],
] as const;

/** An event made by hand: filled as a real one would be, changed at will, and sent into the run. */
export function Compose() {
  if (status.value === 'none') {
    return (
      <EmptyState title="Nothing can be sent into this run" command="npx emulate --scenario house-move">
        A recording is sent as it is. A run that plays scenarios takes in what comes:
      </EmptyState>
    );
  }
  const name = place.value.compose;
  const event = name === undefined ? undefined : catalogue.value.get(name);
  return (
    <section class="pane compose" aria-label="Compose" data-testid="compose">
      <EventChoice chosen={event} />
      {event !== undefined ? (
        <Editor key={event.name} event={event} />
      ) : name !== undefined && catalogue.value.size > 0 ? (
        <EmptyState title={`The catalogue has no event ${name}`} command="npx busbar catalogue list">
          Choose one above. All of them are listed by:
        </EmptyState>
      ) : (
        <EmptyState
          title="Choose an event"
          command={`npx emulate trigger account.created-v1 ${toThisEmulator()}`}
        >
          Its fields are filled as they usually are; change what you like, and send it. From a command line:
        </EmptyState>
      )}
    </section>
  );
}

function EventChoice({ chosen }: { readonly chosen: CatalogueEvent | undefined }) {
  const byDomain = new Map<string, CatalogueEvent[]>();
  for (const event of catalogue.value.values()) {
    byDomain.set(event.domain, [...(byDomain.get(event.domain) ?? []), event]);
  }
  return (
    <div class="bar">
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
      {chosen !== undefined && <p class="quiet">{chosen.description}</p>}
    </div>
  );
}

function Editor({ event }: { readonly event: CatalogueEvent }) {
  const [nth, setNth] = useState(0);
  const [fields, setFields] = useState<string>('usual');
  const [isRaw, setRaw] = useState(false);
  const [problem, setProblem] = useState<string | undefined>(undefined);
  const [example, setExample] = useState<unknown>(undefined);
  const schema = useSchema(event.name);
  const made: Draft | undefined = draft.value?.name === event.name ? draft.value : undefined;
  const verdict = useViolations(event, made?.payload);

  const fill = async (number: number, wanted: string) => {
    setNth(number);
    setFields(wanted);
    setProblem(undefined);
    const path = `/emulator/v1/samples/${encodeURIComponent(event.name)}`;
    const sample = await getJson<Sample>(`${path}?nth=${number}&fields=${wanted}`);
    if (sample === undefined) return;
    draft.value = { name: event.name, payload: sample.payload, key: '', repeats: undefined };
  };
  useEffect(() => {
    if (made === undefined) void fill(0, 'usual');
  }, [made === undefined]);
  useEffect(() => {
    const path = `/emulator/v1/samples/${encodeURIComponent(event.name)}?fields=full`;
    void getJson<Sample>(path).then((sample) => setExample(sample?.payload));
  }, []);
  if (made === undefined) return null;

  const change = (payload: unknown) => (draft.value = { ...made, payload });
  return (
    <div class="cards">
      <div class="card">
        <div class="card-head">
          <h2>Payload</h2>
          <div class="segments" role="group" aria-label="Written as">
            <button type="button" aria-pressed={!isRaw} onClick={() => setRaw(false)}>
              Form
            </button>
            <button type="button" aria-pressed={isRaw} onClick={() => setRaw(true)}>
              JSON
            </button>
          </div>
        </div>
        {made.repeats !== undefined && (
          <p class="quiet repeats">
            As event {made.repeats} had it. It is sent as a new event, with an id of its own.
          </p>
        )}
        <div class="buttons fill">
          <button type="button" onClick={() => void fill(nth + 1, fields)}>
            Fill anew
          </button>
          <label>
            Optional fields:{' '}
            <select value={fields} onChange={({ currentTarget }) => void fill(nth, currentTarget.value)}>
              {fillings.map(([value, label]) => (
                <option key={value} value={value}>
                  {label}
                </option>
              ))}
            </select>
          </label>
        </div>
        {isRaw ? (
          <RawJson payload={made.payload} change={change} tell={setProblem} />
        ) : (
          <ObjectFields
            form={{
              root: schema,
              payload: made.payload,
              example,
              violations: verdict.byPointer,
              set: (path, value) => change(withValue(made.payload, path, value)),
            }}
            path={[]}
            schema={schema}
          />
        )}
      </div>
      <SendCard event={event} made={made} verdict={verdict} problem={isRaw ? problem : undefined} />
    </div>
  );
}
