import { count } from '../instants.js';
import { DataTable, numbers } from '../shell/data-table.js';
import { EmptyState } from '../shell/empty-state.js';
import { consumers, type StreamConsumer } from './consumers-state.js';
import { DeadLetters } from './dead-letters.js';
import { GroupCard } from './group-card.js';

/** Who consumes, how far each has come, and what was set aside. */
export function Consumers() {
  const { value } = consumers;
  if (value === undefined) return <section class="pane" aria-label="Consumers" />;
  if (value === 'lost') {
    return (
      <EmptyState title="The emulator does not answer" command="npx emulate --scenario house-move">
        It has been stopped, or was never started. Start it; this page connects by itself.
      </EmptyState>
    );
  }
  const { bootstrap_servers: servers, groups, stream, topics } = value;
  const deadLetters = topics.filter(({ name }) => name.endsWith('.dead-letter'));
  if (groups.length === 0 && stream.length === 0) {
    return (
      <EmptyState
        title="Nobody consumes yet"
        command={
          servers === null
            ? 'npx emulate --scenario house-move --kafka-port 9092'
            : `run(kafka({ brokers: ['${servers}'], groupId: 'billing', topics: ['platform.events'] }))`
        }
      >
        {servers === null
          ? 'This emulator has no broker. Start one with it, or attach a consumer to the stream:'
          : `A consumer group appears here as soon as it joins at ${servers}:`}
      </EmptyState>
    );
  }
  return (
    <section class="pane consumers" aria-label="Consumers" data-testid="consumers">
      {groups.map((group) => (
        <GroupCard key={group.id} group={group} />
      ))}
      {stream.length > 0 && <StreamConsumers stream={stream} />}
      {servers !== null && <DeadLetters topics={deadLetters} brokers={servers} />}
    </section>
  );
}

function StreamConsumers({ stream }: { readonly stream: readonly StreamConsumer[] }) {
  return (
    <div class="card">
      <h2>Consumers of the stream</h2>
      <DataTable
        label="Consumers of the stream"
        columns={['Consumer', 'State', numbers('Acknowledged'), numbers('Last record'), numbers('Lag')]}
      >
        {stream.map(({ name, connected, acknowledged, end, lag }) => (
          <tr key={name}>
            <th scope="row">{name}</th>
            <td>{connected ? 'connected' : <span class="fault">away: the run may wait for it</span>}</td>
            <td class="number">{count(acknowledged)}</td>
            <td class="number">{count(end)}</td>
            <td class="number">{count(lag)}</td>
          </tr>
        ))}
      </DataTable>
    </div>
  );
}
