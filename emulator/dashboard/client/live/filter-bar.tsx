import { useRef, useState } from 'preact/hooks';
import { catalogue } from '../catalogue.js';
import { count } from '../instants.js';
import { go, viewRoute } from '../view-route.js';
import { isOfBrowser } from '../shell/keyboard.js';
import { scenarioOf } from '../stream/stream-event.js';
import { suggestions, type Term, termsOf } from './filter-terms.js';
import { held, liveFeed, release } from './live-feed.js';

/** The terms of the filter, with buttons to remove them, and an input that suggests further terms. */
export function FilterBar() {
  liveFeed.value.follow();
  const [typed, setTyped] = useState('');
  const [isOpen, setOpen] = useState(false);
  const [active, setActive] = useState(0);
  const input = useRef<HTMLInputElement>(null);
  const { filter } = viewRoute.value;
  const terms = termsOf(filter);
  const suggested = isOpen ? suggestions(typed, [...catalogue.value.values()], recentScenarios()) : [];

  const choose = (term: Term | undefined) => {
    if (term === undefined) return;
    go({ filter: term.added(filter), event: undefined }, 'replace');
    setTyped('');
    setActive(0);
    setOpen(false);
  };
  const remove = (term: Term) => go({ filter: term.removed(filter) }, 'replace');
  const pressed = (event: KeyboardEvent) => {
    if (isOfBrowser(event)) return;
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step !== undefined && suggested.length > 0) {
      setActive((active + step + suggested.length) % suggested.length);
    } else if (event.key === 'Enter') choose(suggested[active]);
    else if (event.key === 'Escape') {
      setOpen(false);
      input.current?.blur();
    } else if (event.key === 'Backspace' && typed === '') {
      const last = terms.at(-1);
      if (last !== undefined) remove(last);
      return;
    } else return;
    event.preventDefault();
    event.stopPropagation();
  };

  return (
    <div class="toolbar filter" role="search">
      {terms.map((term) => (
        <span class="chip" key={`${term.kind} ${term.value}`}>
          <span class="faint">{term.kind}</span> <span class="chip-value">{term.value}</span>
          <button type="button" aria-label={`Remove ${term.kind} ${term.value}`} onClick={() => remove(term)}>
            ×
          </button>
        </span>
      ))}
      <div class="combobox">
        <input
          ref={input}
          id="filter"
          type="text"
          role="combobox"
          aria-label="Filter events"
          aria-expanded={suggested.length > 0}
          aria-controls="filter-options"
          aria-autocomplete="list"
          {...(suggested.length > 0 && { 'aria-activedescendant': `filter-option-${active}` })}
          autocomplete="off"
          spellcheck={false}
          placeholder={terms.length === 0 ? 'Filter: an event, a domain, an account, any text' : 'and …'}
          value={typed}
          onInput={(event) => {
            setTyped(event.currentTarget.value);
            setActive(0);
            setOpen(true);
          }}
          onFocus={() => setOpen(true)}
          onBlur={() => setOpen(false)}
          onKeyDown={pressed}
        />
        <kbd class="hint wide-only" aria-hidden="true">
          /
        </kbd>
        <ul id="filter-options" role="listbox" aria-label="Suggestions" hidden={suggested.length === 0}>
          {suggested.map((term, index) => (
            <li
              key={`${term.kind} ${term.value}`}
              id={`filter-option-${index}`}
              role="option"
              aria-selected={index === active}
              // `mousedown` precedes the loss of focus, which closes the list.
              onMouseDown={(event) => {
                event.preventDefault();
                choose(term);
              }}
            >
              <span class="option-kind">{term.kind}</span> <span class="option-value">{term.value}</span>
            </li>
          ))}
        </ul>
      </div>
      <span class="quiet">
        <span data-testid="received">{count(liveFeed.value.counts.received)}</span>{' '}
        {terms.length === 0 ? 'received' : 'matching'}
      </span>
      <button type="button" onClick={exportEvents}>
        Export
      </button>
      <FollowButton />
    </div>
  );
}

/** A button that resumes a paused list, with the number of new events. */
function FollowButton() {
  const feed = liveFeed.value;
  feed.follow();
  const still = held.value;
  if (still === undefined) return null;
  const fresh = feed.counts.received - still.received;
  return (
    <button type="button" class="main fresh" onClick={release} data-testid="fresh">
      {fresh > 0 ? `${count(fresh)} new` : 'Paused'} <span aria-hidden="true">↑</span>
    </button>
  );
}

/** Returns the scenarios of recent events, the latest first. */
function recentScenarios(): string[] {
  return liveFeed.value.kept.list.slice(-2_000).reverse().map(scenarioOf);
}

/** Saves the listed events as NDJSON, the oldest first. Omits values that are not a line of text. */
function exportEvents(): void {
  const events = held.value?.events ?? liveFeed.value.kept.list;
  const lines = events.filter(({ encoding }) => encoding === undefined).map(({ line }) => `${line}\n`);
  const link = document.createElement('a');
  link.href = URL.createObjectURL(new Blob(lines, { type: 'application/x-ndjson' }));
  link.download = 'events.ndjson';
  link.click();
  URL.revokeObjectURL(link.href);
}
