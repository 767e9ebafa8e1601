import { useEffect, useState } from 'preact/hooks';
import type { AccountStory } from '../../account-story.js';
import { getJson, type Schema } from '../catalogue.js';
import { PayloadTree } from '../event/payload-tree.js';
import { dateAndTime } from '../instants.js';
import { addressOf, follow, place } from '../place.js';
import { EmptyState } from '../shell/empty-state.js';
import { AccountHistory } from './account-history.js';
import { type Change, changesBetween } from './changes.js';
import { RecentAccounts } from './recent-accounts.js';
import { SearchBar } from './search-bar.js';

/** An account as REST shows it, now or at an earlier instant, with what its last event has changed. */
export function World() {
  const { account, at } = place.value;
  const story = useStory(account, at);
  const schema = useAccountSchema();
  return (
    <section class="pane world" aria-label="World" data-testid="world">
      <SearchBar story={typeof story === 'object' ? story : undefined} />
      {account === undefined ? (
        <RecentAccounts />
      ) : story === 'none' ? (
        <EmptyState title={`There is no account ${account}`} command="npx emulate --scenario house-move">
          The run has none of that number, or is a recording that does not say how it was made. Numbers look
          like A-1B2C3D4E; each event names its own. A run that has customers:
        </EmptyState>
      ) : (
        story !== undefined && <Account story={story} schema={schema} />
      )}
    </section>
  );
}

function Account({ story, schema }: { readonly story: AccountStory; readonly schema: Schema | undefined }) {
  const { account, before, cell, at, events } = story;
  const changes = before === null ? [] : changesBetween(before, account);
  const last = events.findLast((event) => event.at <= at);
  const marked = new Map(changes.flatMap((change) => markOf(change)));
  return (
    <>
      <header class="world-head">
        <h2>
          <span class="mono">{account.number}</span> <span class="version">{account.status}</span>
        </h2>
        <a
          href={addressOf({ ...place.value, view: 'journeys', customer: cell, event: undefined })}
          onClick={follow({ view: 'journeys', customer: cell, event: undefined })}
        >
          Journey of customer {cell}
        </a>
      </header>
      <div class="world-columns">
        <section aria-labelledby="world-account">
          <div class="section-head">
            <h3 id="world-account">The account as REST shows it</h3>
            <code class="quiet">GET /v1/accounts/{account.number}/</code>
          </div>
          {last !== undefined && <WhatChanged changes={changes} type={last.type} at={last.at} />}
          <PayloadTree value={account} schema={schema} marked={marked} />
        </section>
        <AccountHistory story={story} />
      </div>
    </>
  );
}

/** What the last event of the account has made different. */
function WhatChanged({
  changes,
  type,
  at,
}: {
  readonly changes: readonly Change[];
  readonly type: string;
  readonly at: number;
}) {
  const gone = changes.filter(({ kind }) => kind === 'gone');
  return (
    <div class="changed" data-testid="changed">
      <p>
        <b>{type}</b> <span class="quiet">at {dateAndTime(at).slice(0, 19)}</span>{' '}
        {changes.length === 0
          ? 'changed nothing that REST shows.'
          : changes.length === 1
            ? 'changed one field, marked below.'
            : `changed ${changes.length} fields, marked below.`}
      </p>
      {gone.length > 0 && (
        <ul>
          {gone.map(({ path, was }) => (
            <li key={path}>
              <code>{path}</code> <span class="quiet">is gone; it was {short(was)}</span>
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}

function markOf({ kind, path, was }: Change): [string, string][] {
  if (kind === 'gone') return [];
  return [[path, kind === 'new' ? 'new' : `was ${short(was)}`]];
}

function short(value: unknown): string {
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return text.length > 60 ? `${text.slice(0, 60)}…` : text;
}

/** How often the present is asked for, in milliseconds: each time the emulator plays the customer's life again. */
const pause = 1_000;

function useStory(account: string | undefined, at: number | undefined): AccountStory | 'none' | undefined {
  const [story, setStory] = useState<AccountStory | 'none' | undefined>(undefined);
  useEffect(() => {
    setStory(undefined);
  }, [account]);
  useEffect(() => {
    if (account === undefined) return undefined;
    let timer: number | undefined;
    let isCurrent = true;
    const ask = async () => {
      const query = at === undefined ? '' : `?at=${at}`;
      const found = await getJson<AccountStory>(`/dashboard/account/${encodeURIComponent(account)}${query}`);
      if (!isCurrent) return;
      setStory(found ?? 'none');
      timer = window.setTimeout(() => void ask(), pause);
    };
    void ask();
    return () => {
      isCurrent = false;
      clearTimeout(timer);
    };
  }, [account, at]);
  return story;
}

let accountSchema: Promise<Schema | undefined> | undefined;

function useAccountSchema(): Schema | undefined {
  const [schema, setSchema] = useState<Schema | undefined>(undefined);
  useEffect(() => {
    accountSchema ??= getJson<Schema>('/dashboard/account-schema');
    void accountSchema.then(setSchema);
  }, []);
  return schema;
}
