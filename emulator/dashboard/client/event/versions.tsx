import { go } from '../view-route.js';
import { payloadOf, type StreamEvent } from '../stream/stream-event.js';
import { flatFields } from './flat-fields.js';
import { visible } from '../visible.js';
import { DataTable } from '../shell/data-table.js';

/** A table of the versions of one occurrence, by field. */
export function Versions({
  event,
  others,
}: {
  readonly event: StreamEvent;
  readonly others: readonly StreamEvent[];
}) {
  if (others.length === 0) return null;
  const all = [event, ...others].sort((one, other) => one.number - other.number);
  const fields = all.map((each) => flatFields(payloadOf(each), 200));
  const paths = [...new Set(fields.flatMap((each) => [...each.keys()]))];
  return (
    <section data-testid="versions">
      <h3>Versions of this occurrence</h3>
      <DataTable
        label="Versions, field by field"
        columns={[
          'Field',
          ...all.map(({ number, about }) => ({
            head:
              number === event.number ? (
                about.version
              ) : (
                <button type="button" class="link" onClick={() => go({ event: number }, 'replace')}>
                  {about.version}
                </button>
              ),
          })),
        ]}
      >
        {paths.map((path) => {
          const values = fields.map((each) => each.get(path));
          const differs = new Set(values).size > 1;
          return (
            <tr key={path} class={differs ? 'differs' : ''}>
              <th scope="row">{visible(path)}</th>
              {values.map((value, index) => (
                <td key={index}>
                  {value === undefined ? <span class="faint">absent</span> : visible(value.slice(0, 120))}
                </td>
              ))}
            </tr>
          );
        })}
      </DataTable>
    </section>
  );
}
