import { count } from '../instants.js';
import { DataTable, numbers } from '../shell/data-table.js';
import type { Consumers as ConsumersState } from '../../../control-api/generated/operations.js';
import { NotConnected } from '../shell/empty-state.js';
import { Connect } from '../start/start.js';
import { consumers } from './consumers-state.js';
import { DeadLetters } from './dead-letters.js';
import { GroupCard, rate } from './group-card.js';
import { LagChart } from './lag-chart.js';
import { Verdict } from './verdict.js';
import './consumers.css';

/** The consumers with their lag, and the dead letters. */
export function Consumers() {
  const { state, value } = consumers.loaded.value;
  if (value === undefined) {
    return state === 'stale' ? <NotConnected /> : <section class="pane" aria-label="Consumers" />;
  }
  const { bootstrap_servers: servers, groups, stream } = value;
  if (groups.length === 0 && stream.length === 0) {
    return (
      <section class="pane consumers" aria-label="Consumers">
        <h2>No consumers yet</h2>
        <Connect />
      </section>
    );
  }
  return (
    <section class="pane consumers" aria-label="Consumers" data-testid="consumers">
      <div class="cards">
        <LagChart />
        {groups.map((group) => (
          <GroupCard key={group.id} group={group} />
        ))}
        {stream.length > 0 && <StreamConsumers stream={stream} />}
        <Verdict />
      </div>
      {servers !== null && <DeadLetters brokers={servers} />}
    </section>
  );
}

function StreamConsumers({ stream }: Pick<ConsumersState, 'stream'>) {
  return (
    <div class="card">
      <h2>Stream consumers</h2>
      <DataTable
        label="Stream consumers"
        columns={['Consumer', 'State', numbers('Acknowledged'), numbers('Rate'), numbers('Lag')]}
      >
        {stream.map(({ name, connected, acknowledged, lag }) => (
          <tr key={name}>
            <th scope="row">{name}</th>
            <td>
              {connected ? 'connected' : <span class="fault">disconnected: the run may wait for it</span>}
            </td>
            <td class="number">{count(acknowledged)}</td>
            <td class="number">{rate(name)}</td>
            <td class="number">{count(lag)}</td>
          </tr>
        ))}
      </DataTable>
    </div>
  );
}
