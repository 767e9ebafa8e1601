import { count } from '../instants.js';
import { DataTable, numbers } from '../shell/data-table.js';
import type { GroupState } from './consumers-state.js';

const words: Readonly<Record<string, string>> = {
  Stable: 'consumes',
  Empty: 'nobody is there',
  PreparingRebalance: 'shares out its partitions',
  CompletingRebalance: 'shares out its partitions',
};

/** A consumer group: its members, and each partition with what is committed and what waits. */
export function GroupCard({ group }: { readonly group: GroupState }) {
  const { id, state, members, partitions, lag } = group;
  const names = new Map(members.map((member, index) => [member.id, nameOf(member, index, members.length)]));
  const topics = [...new Set(partitions.map((each) => each.topic))];
  const several = topics.length > 1;
  const topic = several ? undefined : topics[0];
  return (
    <div class="card" data-testid={`group-${id}`}>
      <div class="card-head">
        <h2 class="mono">{id}</h2>
        <span class={`state ${state === 'Stable' ? 'live' : ''}`}>{words[state] ?? state}</span>
        <span class="lag">
          <b>{count(lag)}</b> <span class="quiet">{lag === 1 ? 'record behind' : 'records behind'}</span>
        </span>
      </div>
      <p class="quiet">
        {members.length === 0
          ? 'No member. What it has committed stays: whoever joins goes on from there.'
          : members.map((each) => `${names.get(each.id)} at ${each.host}`).join(', ')}
        {topic !== undefined && `, reads ${topic}`}
      </p>
      {partitions.length > 0 && (
        <DataTable
          label={`Partitions of ${id}`}
          columns={[
            ...(several ? ['Topic'] : []),
            'Partition',
            'Member',
            numbers('Committed'),
            numbers('End'),
            numbers('Lag'),
          ]}
        >
          {partitions.map(({ topic: read, partition, member, committed, end, lag: behind }) => (
            <tr key={`${read}/${partition}`}>
              {several && <td>{read}</td>}
              <th scope="row" class="mono">
                {partition}
              </th>
              <td>{member === null ? <span class="faint">nobody</span> : (names.get(member) ?? member)}</td>
              <td class="number">
                {committed === null ? <span class="faint">nothing yet</span> : count(committed)}
              </td>
              <td class="number">{count(end)}</td>
              <td class="number">{behind === null ? <span class="faint">–</span> : count(behind)}</td>
            </tr>
          ))}
        </DataTable>
      )}
    </div>
  );
}

/** As the client calls itself; with a number where several do. */
function nameOf({ client_id: client }: GroupState['members'][number], index: number, all: number): string {
  return all === 1 ? client : `${client} ${index + 1}`;
}
