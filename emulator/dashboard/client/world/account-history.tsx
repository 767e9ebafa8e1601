import type { AccountStory } from '../../account-story.js';
import { domainOf, DomainDot, TypeName } from '../domains.js';
import { count, dateAndTime } from '../instants.js';
import { addressOf, follow, viewRoute } from '../view-route.js';

/** Events that name the account, the newest first. A click shows the account just after the event. */
export function AccountHistory({ story: { events, at } }: { readonly story: AccountStory }) {
  const last = events.findLast((event) => event.at <= at);
  return (
    <section aria-labelledby="world-history">
      <div class="section-head">
        <h3 id="world-history">History</h3>
        <span class="quiet">{events.length === 1 ? '1 event' : `${count(events.length)} events`}</span>
      </div>
      {events.length === 0 && <p class="quiet">No events yet.</p>}
      <ol class="history" data-testid="history">
        {events.toReversed().map((event) => {
          const [{ version, id } = { version: '', id: '' }] = event.versions;
          const then = { ...viewRoute.value, at: event.at };
          const found = { view: 'live', filter: { text: id }, event: undefined } as const;
          return (
            <li key={id} class={event === last ? 'current' : event.at > at ? 'later' : ''}>
              <a
                class="history-row"
                href={addressOf(then)}
                aria-current={event === last ? 'step' : undefined}
                onClick={follow({ at: event.at })}
              >
                <span class="mono quiet">{dateAndTime(event.at).slice(0, 19)}</span>
                <span class="history-type">
                  <DomainDot domain={domainOf(event.type, version)} /> <TypeName type={event.type} />
                </span>
              </a>
              <a
                class="history-event"
                href={addressOf({ ...viewRoute.value, ...found })}
                aria-label={`Event ${event.type} of ${dateAndTime(event.at)}`}
                onClick={follow(found)}
              >
                event
              </a>
            </li>
          );
        })}
      </ol>
    </section>
  );
}
