import { effect, signal } from '@preact/signals';
import { go } from '../view-route.js';
import { restarts } from '../requests.js';
import { payloadOf, type StreamEvent } from '../stream/stream-event.js';
import { flatFields } from './flat-fields.js';
import { DataTable } from '../shell/data-table.js';

/** The event that others are compared with. */
export const pinned = signal<StreamEvent | undefined>(undefined);

// In another run, its number is that of no event, or of another one.
effect(() => {
  if (restarts.value > 0) pinned.value = undefined;
});

/** The pinned event and an open one, by field. */
export function Comparison({ event }: { readonly event: StreamEvent }) {
  const other = pinned.value;
  if (other === undefined || other === event) return null;
  return (
    <section data-testid="comparison">
      <div class="section-head">
        <h3>Compared with event {other.number}</h3>
        <button type="button" onClick={() => (pinned.value = undefined)}>
          Stop comparing
        </button>
      </div>
      <FieldTable event={event} others={[other]} headOf={({ number }) => `Event ${number}`} />
    </section>
  );
}

/** The versions of one occurrence, by field. */
export function Versions({ event, others }: Compared) {
  if (others.length === 0) return null;
  return (
    <section data-testid="versions">
      <h3>Versions of this occurrence</h3>
      <FieldTable event={event} others={others} headOf={({ about }) => about.version} />
    </section>
  );
}

interface Compared {
  readonly event: StreamEvent;
  readonly others: readonly StreamEvent[];
}

function FieldTable({
  event,
  others,
  headOf,
}: Compared & { readonly headOf: (event: StreamEvent) => string }) {
  const all = [event, ...others].sort((one, other) => one.number - other.number);
  const fields = all.map((each) => flatFields(payloadOf(each), 200, JSON.stringify));
  const paths = [...new Set(fields.flatMap((each) => [...each.keys()]))];
  return (
    <DataTable
      label="Events, field by field"
      columns={[
        'Field',
        ...all.map((each) => ({
          head:
            each === event ? (
              headOf(each)
            ) : (
              <button type="button" class="link" onClick={() => go({ event: each.number }, 'replace')}>
                {headOf(each)}
              </button>
            ),
        })),
      ]}
    >
      {paths.map((path) => {
        const values = fields.map((each) => each.get(path));
        const differs = new Set(values).size > 1;
        const texts = values.map((value) => (value?.startsWith('"') ? String(JSON.parse(value)) : value));
        // A text and a number may look alike.
        const shown = differs && new Set(texts).size === 1 ? values : texts;
        return (
          <tr key={path} class={differs ? 'differs' : ''}>
            <th scope="row">{path === '' ? 'payload' : path}</th>
            {shown.map((value, index) => (
              <td key={index}>
                {value === undefined ? <span class="faint">absent</span> : value.slice(0, 120)}
              </td>
            ))}
          </tr>
        );
      })}
    </DataTable>
  );
}
