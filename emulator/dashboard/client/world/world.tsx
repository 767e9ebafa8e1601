import type { AccountStory } from '../../account-story.js';
import { type Schema, useSchema } from '../catalogue.js';
import { useQuery } from '../query.js';
import { PayloadTree } from '../event/payload-tree.js';
import { counted, dateAndTime } from '../instants.js';
import { Link } from '../shell/link.js';
import { viewRoute } from '../view-route.js';
import { EmptyState, NotConnected } from '../shell/empty-state.js';
import { domainOf, DomainDot, TypeName } from '../domains.js';
import { type Change, changesBetween } from './changes.js';
import { RecentAccounts } from './recent-accounts.js';
import { SearchBar } from './search-bar.js';
import './world.css';

/** An account in the form of the REST API, now or earlier, with the changes of its last event. */
export function World() {
  const { account } = viewRoute.value;
  return (
    <section class="pane world" aria-label="World" data-testid="world">
      {account === undefined ? (
        <>
          <SearchBar story={undefined} />
          <RecentAccounts />
        </>
      ) : (
        <ChosenAccount account={account} />
      )}
    </section>
  );
}

function ChosenAccount({ account }: { readonly account: string }) {
  const { at } = viewRoute.value;
  const query = at === undefined ? '' : `?at=${at}`;
  const path = `/dashboard/account/${encodeURIComponent(account)}`;
  const { state, value: story } = useQuery<AccountStory>(path + query, { subject: path });
  const schema = useSchema('/dashboard/account-schema');
  return (
    <>
      <SearchBar story={story} />
      {state === 'missing' ? (
        <EmptyState title={`Account ${account} does not exist`}>
          This run lacks it, or replays a recording without accounts. Account numbers look like A-1B2C3D4E.
        </EmptyState>
      ) : story !== undefined ? (
        <Account story={story} schema={schema} />
      ) : (
        state === 'stale' && <NotConnected />
      )}
    </>
  );
}

function Account({ story, schema }: { readonly story: AccountStory; readonly schema: Schema | undefined }) {
  const { account, before, cell, at, events } = story;
  const { at: asked = at } = viewRoute.value;
  const changes = before === null ? [] : changesBetween(before, account);
  const last = events.findLast((event) => event.at <= at);
  const marked = new Map(changes.flatMap((change) => markOf(change)));
  return (
    <>
      <header class="section-head">
        <h2>
          <span class="mono">{account.number}</span> <span class="version">{account.status}</span>
        </h2>
        <Link to={{ view: 'journeys', customer: cell, event: undefined }}>Journey of customer {cell}</Link>
      </header>
      <div class="cards">
        <section aria-labelledby="world-account">
          <div class="section-head">
            <h3 id="world-account">The account in the REST API</h3>
            <code class="quiet">GET /v1/accounts/{account.number}/</code>
          </div>
          {asked > at && <p>Virtual time is {dateAndTime(at).slice(0, 19)}. This is the account now.</p>}
          {last !== undefined && <WhatChanged changes={changes} last={last} />}
          <PayloadTree value={account} schema={schema} marked={marked} />
        </section>
        <AccountHistory story={story} />
      </div>
    </>
  );
}

/** The changes of the account's last event. */
function WhatChanged({
  changes,
  last: { type, at },
}: {
  readonly changes: readonly Change[];
  readonly last: AccountStory['events'][number];
}) {
  const gone = changes.filter(({ kind }) => kind === 'gone');
  return (
    <div class="changed" data-testid="changed">
      <p>
        <b>{type}</b> <span class="quiet">at {dateAndTime(at).slice(0, 19)}</span>{' '}
        {changes.length === 0
          ? 'changed no field of the REST API.'
          : `changed ${counted(changes.length, 'field')}, marked below.`}
      </p>
      {gone.length > 0 && (
        <ul>
          {gone.map(({ path, was }) => (
            <li key={path}>
              <code>{path}</code> <span class="quiet">removed, was {short(was)}</span>
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

/** Events that name the account, the newest first. A click shows the account just after the event. */
function AccountHistory({ story: { events, at } }: { readonly story: AccountStory }) {
  const last = events.findLast((event) => event.at <= at);
  return (
    <section aria-labelledby="world-history">
      <div class="section-head">
        <h3 id="world-history">History</h3>
        <span class="quiet">{counted(events.length, 'event')}</span>
      </div>
      {events.length === 0 && <p class="quiet">No events yet.</p>}
      <ol class="history" data-testid="history">
        {events.toReversed().map((event) => {
          const id = event.versions[0]?.id ?? '';
          return (
            <li key={id} class={event === last ? 'current' : event.at > at ? 'later' : ''}>
              <Link
                class="history-row stacked"
                to={{ at: event.at }}
                aria-current={event === last ? 'step' : undefined}
              >
                <span class="mono quiet">{dateAndTime(event.at).slice(0, 19)}</span>
                <span class="history-type">
                  <DomainDot domain={domainOf(event.type)} /> <TypeName type={event.type} />
                </span>
              </Link>
              <Link
                class="history-event"
                to={{ view: 'live', filter: { text: id }, event: undefined }}
                aria-label={`Event ${event.type} of ${dateAndTime(event.at)}`}
              >
                event
              </Link>
            </li>
          );
        })}
      </ol>
    </section>
  );
}
