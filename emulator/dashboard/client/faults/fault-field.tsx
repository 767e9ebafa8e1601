import { useState } from 'preact/hooks';
import { catalogue } from '../catalogue.js';
import { count, counted } from '../instants.js';
import { useControl } from '../run/control.js';
import { ResultText, Field, TextInput, Select } from '../shell/controls.js';
import { isLost, mainFeed } from '../stream/main-feed.js';
import { nameOf } from '../stream/stream-event.js';

/** Faults, each with a first setting. */
const kinds = [
  ['duplicate', '5%'],
  ['delay', '5%:10m'],
  ['reorder', '5%:30s'],
  ['drop', '5%'],
  ['invalid', '5%'],
  ['corrupt', '5%'],
  ['unknown-event', '5%'],
  ['unknown-version', '5%'],
  ['extra-field', '5%'],
  ['burst', '10x:30s'],
] as const;

/** Builds the faults of the run, and previews them on the last events. */
export function FaultField({ faults }: { readonly faults: string }) {
  const [written, setWritten] = useState<string | undefined>(undefined);
  const { answer, control, clear } = useControl();
  const isWrong = answer?.isGood === false;
  const text = written ?? faults;
  const write = (next: string) => {
    clear();
    setWritten(next);
  };
  const entries = entriesOf(text);
  const change = (name: string, value: string) => {
    const next = new Map(entriesOf(text));
    if (value === '') next.delete(name);
    else next.set(name, value);
    write([...next].map(([each, setting]) => (setting === '' ? each : `${each}=${setting}`)).join(','));
  };
  const set = async () => {
    const chosen = text.trim();
    const done =
      chosen === ''
        ? await control('/faults', undefined, 'Faults cleared.', 'DELETE')
        : await control('/faults', { faults: chosen }, 'Faults set.', 'PUT');
    if (done !== undefined) setWritten(undefined);
  };
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        void set();
      }}
    >
      <Field id="fault-kind" label="Add a fault">
        <Select
          id="fault-kind"
          value=""
          options={[['', 'Choose …'], ...kinds.map(([name]) => [name, name] as const)]}
          set={(chosen) => {
            const [name, first] = kinds.find(([each]) => each === chosen) ?? ['', ''];
            if (name !== '') change(name, first);
          }}
        />
      </Field>
      <Field id="fault-only" label="Only events">
        <TextInput
          id="fault-only"
          list="fault-types"
          placeholder="all; billing.* or one type"
          value={entries.get('only') ?? ''}
          set={(only) => change('only', only)}
        />
      </Field>
      <datalist id="fault-types">
        {[...new Set(Array.from(catalogue.value.values(), ({ type }) => type))].map((type) => (
          <option key={type} value={type} />
        ))}
      </datalist>
      <Field id="faults" label="Faults">
        <TextInput
          id="faults"
          placeholder="duplicate=5%,delay=2%:10m"
          aria-invalid={isWrong}
          value={text}
          set={write}
        />
        <button type="submit" disabled={isLost.value}>
          Set
        </button>
        <ResultText answer={answer} testId="faults-set" />
        {!isWrong && <Preview entries={entries} />}
      </Field>
    </form>
  );
}

function entriesOf(faults: string): Map<string, string> {
  const entries = faults.split(',').filter((entry) => entry.trim() !== '');
  return new Map(
    entries.map((entry): [string, string] => {
      const [name = '', ...setting] = entry.trim().split('=');
      return [name, setting.join('=')];
    }),
  );
}

const sample = 1_000;

/** The number of the last events that the faults would hit, by their shares. */
function Preview({ entries }: { readonly entries: ReadonlyMap<string, string> }) {
  mainFeed.follow();
  const events = mainFeed.kept.list.slice(-sample);
  const shares = kinds.flatMap(([name]) => shareIn(entries.get(name)));
  if (events.length === 0 || shares.length === 0) return null;
  const isChosen = matcher(entries.get('only'));
  const chosen = events.filter(({ about }) => isChosen(about.type) || isChosen(nameOf({ about }))).length;
  const missed = shares.reduce((product, share) => product * (1 - share), 1);
  return (
    <p class="answer" data-testid="fault-preview">
      Would have hit {count(Math.round(chosen * (1 - missed)))} of the last {counted(events.length, 'event')}.
    </p>
  );
}

/** Returns the share of events in a setting; none for a burst or a wrong setting. */
function shareIn(setting = ''): number | [] {
  const percent = Number(/^(\d+(?:\.\d+)?)%/.exec(setting)?.[1]);
  return percent <= 100 ? percent / 100 : [];
}

/** Returns a test for a name, in which `*` matches any text. */
function matcher(only: string | undefined): (name: string) => boolean {
  if (only === undefined) return () => true;
  const pieces = only.split('*').map((piece) => piece.replace(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`));
  const pattern = new RegExp(`^${pieces.join('.*')}$`);
  return (name) => pattern.test(name);
}
