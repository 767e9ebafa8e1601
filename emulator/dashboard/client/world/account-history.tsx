import type { AccountStory } from '../../account-story.js';
import { domainOf, DomainDot, TypeName } from '../domains.js';
import { counted, dateAndTime } from '../instants.js';
import { Link } from '../shell/link.js';

/** Events that name the account, the newest first. A click shows the account just after the event. */
export function AccountHistory({ story: { events, at } }: { readonly story: AccountStory }) {
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
          const [{ version, id } = { version: '', id: '' }] = event.versions;
          return (
            <li key={id} class={event === last ? 'current' : event.at > at ? 'later' : ''}>
              <Link
                class="history-row stacked"
                to={{ at: event.at }}
                aria-current={event === last ? 'step' : undefined}
              >
                <span class="mono quiet">{dateAndTime(event.at).slice(0, 19)}</span>
                <span class="history-type">
                  <DomainDot domain={domainOf(event.type, version)} /> <TypeName type={event.type} />
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
