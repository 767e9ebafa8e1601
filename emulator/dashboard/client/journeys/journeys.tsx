import { count, dateAndTime } from '../instants.js';
import { EmptyState, StartLink } from '../shell/empty-state.js';
import type { Feed } from '../stream/feed.js';
import { viewRoute } from '../view-route.js';
import { customerName, scenarioOf } from '../stream/stream-event.js';
import { journeyFeed } from './journey-feed.js';
import { Journey } from './journey.js';
import { DataTable, numbers } from '../shell/data-table.js';
import { Link } from '../shell/link.js';
import './journeys.css';

/** The journey of one customer, or a list of customers. */
export function Journeys() {
  const { customer } = viewRoute.value;
  const feed = journeyFeed.value;
  return customer === undefined ? (
    <Customers feed={feed} />
  ) : (
    <Journey key={customer} customer={customer} feed={feed} />
  );
}

/** Customers with recent events, the latest first. */
function Customers({ feed }: { readonly feed: Feed }) {
  feed.follow();
  const { filter: span } = viewRoute.value;
  const byCell = Map.groupBy(feed.kept.list.slice(-5_000), ({ about }) => about.cell);
  const customers = Array.from(byCell, ([cell, events]) => ({
    cell,
    account: events.find(({ key }) => key?.startsWith('A-'))?.key,
    processes: new Set(events.map(scenarioOf)),
    events: events.length,
    last: Math.max(...events.map(({ about }) => about.at)),
  }))
    .sort((one, other) => other.last - one.last || one.cell - other.cell)
    .slice(0, 100);
  if (customers.length === 0) {
    return (
      <EmptyState title={`No customers ${span.to === undefined ? 'yet' : 'in this span of time'}`}>
        A journey shows all events of one customer. <StartLink />
      </EmptyState>
    );
  }
  return (
    <section class="pane customers" aria-label="Customers">
      <h2>Customers with events</h2>
      <DataTable
        label="Customers, the latest first"
        columns={[
          'Customer',
          'Account',
          'Processes',
          numbers('Events'),
          { head: 'Last event, virtual', kind: 'wide-only' },
        ]}
      >
        {customers.map(({ cell, account, processes, events, last }) => (
          <tr key={cell}>
            <td>
              <Link to={{ view: 'journeys', customer: cell, event: undefined }}>{customerName(cell)}</Link>
            </td>
            <td class="mono">{account}</td>
            <td>{[...processes].join(', ')}</td>
            <td class="number">{count(events)}</td>
            <td class="mono wide-only">{dateAndTime(last).slice(0, 19)}</td>
          </tr>
        ))}
      </DataTable>
    </section>
  );
}
