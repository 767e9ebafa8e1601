import { dateAndTime } from '../instants.js';
import { EmptyState, StartLink } from '../shell/empty-state.js';
import { mainFeed } from '../stream/main-feed.js';
import { isAccountNumber, sentAt, type StreamEvent } from '../stream/stream-event.js';
import { DataTable } from '../shell/data-table.js';
import { viewRoute } from '../view-route.js';
import { Link } from '../shell/link.js';

/** Accounts with recent events, the latest first. */
export function RecentAccounts() {
  mainFeed.follow();
  const { at: until = Infinity } = viewRoute.value;
  const accounts = new Map<string, { readonly at: number; readonly type: string }>();
  const { list } = mainFeed.kept;
  for (let index = list.length - 1; index >= 0 && accounts.size < 60; index--) {
    const { key, about } = list[index] as StreamEvent;
    if (!isAccountNumber(key) || accounts.has(key)) continue;
    const at = sentAt({ about });
    if (at <= until) accounts.set(key, { at, type: about.type });
  }
  if (accounts.size === 0) {
    return (
      <EmptyState title="No accounts yet">
        An account appears here with its first event. <StartLink />
      </EmptyState>
    );
  }
  return (
    <DataTable
      label="Accounts, the latest first"
      columns={['Account', 'Last event, virtual', { head: 'Event', kind: 'wide-only' }]}
    >
      {[...accounts].map(([account, { at, type }]) => (
        <tr key={account}>
          <td class="mono">
            <Link to={{ account }}>{account}</Link>
          </td>
          <td class="mono">{dateAndTime(at).slice(0, 19)}</td>
          <td class="wide-only">{type}</td>
        </tr>
      ))}
    </DataTable>
  );
}
