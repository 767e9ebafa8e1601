import type { Consumers } from '../../../control-api/generated/operations.js';
import { count, counted, noun, span, wallTime } from '../instants.js';
import { emulatorNow } from '../requests.js';
import { DataTable, numbers } from '../shell/data-table.js';
import { rateOf } from './consumers-state.js';

type Group = Consumers['groups'][number];

const words: Readonly<Record<string, string>> = {
  Stable: 'consuming',
  Empty: 'no members',
  PreparingRebalance: 'rebalancing',
  CompletingRebalance: 'rebalancing',
};

/** A consumer group with its members, and its partitions with their offsets and lag. */
export function GroupCard({ group }: { readonly group: Group }) {
  const { id, state, members, partitions, lag, waiting_since: since, committed_at: committedAt } = group;
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
          <b>{count(lag)}</b>{' '}
          <span class="quiet">
            {noun(lag, 'record')} behind{since !== null && ` since ${ago(since)}`}
          </span>
        </span>
      </div>
      <p class="quiet">
        {members.length === 0
          ? 'No members. The next member resumes from the committed offsets'
          : members.map((each) => `${names.get(each.id)} at ${each.host}`).join(', ')}
        {topic !== undefined && `${members.length === 0 ? ' of' : ', reads'} ${topic}`}
      </p>
      <p class="quiet">
        {rateOf(id) !== undefined && `${rate(id)} · `}
        {committedAt === null ? 'nothing committed' : `last commit ${ago(committedAt)}`}
      </p>
      {partitions.length > 0 && (
        <details>
          <summary>{counted(partitions.length, 'partition')}</summary>
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
                <td>{member === null ? <span class="faint">none</span> : (names.get(member) ?? member)}</td>
                <td class="number">
                  {committed === null ? <span class="faint">none</span> : count(committed)}
                </td>
                <td class="number">{count(end)}</td>
                <td class="number">{behind === null ? <span class="faint">–</span> : count(behind)}</td>
              </tr>
            ))}
          </DataTable>
        </details>
      )}
    </div>
  );
}

/** Returns a wall time with its distance from now. */
function ago(at: string): string {
  const past = Math.max(0, emulatorNow() - Date.parse(at));
  return `${wallTime(Date.parse(at))} (${span(Math.round(past / 1_000) * 1_000)} ago)`;
}

export function rate(consumer: string): string {
  const value = rateOf(consumer);
  if (value === undefined) return '–';
  return `${count(Math.round(value))} ${noun(Math.round(value), 'record')}/s`;
}

/** Returns the client id of a member, numbered if there are several members. */
function nameOf({ client_id: client }: Group['members'][number], index: number, all: number): string {
  return all === 1 ? client : `${client} ${index + 1}`;
}
