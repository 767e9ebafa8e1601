import { useState } from 'preact/hooks';
import type { AccountStory } from '../../account-story.js';
import { dateAndTime } from '../instants.js';
import { ResultText, TextInput } from '../shell/controls.js';
import { go, instant, viewRoute } from '../view-route.js';

/** A form for the account and the virtual time. */
export function SearchBar({ story }: { readonly story: AccountStory | undefined }) {
  const { account = '', at } = viewRoute.value;
  const [number, setNumber] = useState<string | undefined>(undefined);
  const [time, setTime] = useState<string | undefined>(undefined);
  const shown = time ?? (at === undefined ? '' : dateAndTime(at).replace('.000', ''));
  const instantOrWrong = instantIn(shown);
  const submit = (event: Event) => {
    event.preventDefault();
    const next = (number ?? account).trim().toUpperCase();
    if (instantOrWrong === 'wrong') return;
    go({ account: next === '' ? undefined : next, at: instantOrWrong });
    setNumber(undefined);
    setTime(undefined);
  };
  const show = (instant: number | undefined) => {
    setTime(undefined);
    go({ at: instant }, 'replace');
  };
  const events = story?.events ?? [];
  const index = story === undefined ? -1 : events.findLastIndex((event) => event.at <= story.at);
  const [before, after] = [events[index - 1], events[index + 1]];
  return (
    <form class="toolbar bar" role="search" aria-label="Accounts" onSubmit={submit}>
      <label>
        Account
        <TextInput class="mono" placeholder="A-1B2C3D4E" value={number ?? account} set={setNumber} />
      </label>
      <label>
        At
        <TextInput
          class="mono"
          placeholder="now"
          title="Virtual time in UTC, e.g. 2026-03-02 09:00"
          aria-invalid={instantOrWrong === 'wrong'}
          value={shown}
          set={setTime}
        />
      </label>
      <button type="submit">Show</button>
      <ResultText answer={instantOrWrong === 'wrong' ? wrongTime : undefined} testId="wrong-time" />
      {story !== undefined && (
        <span class="buttons">
          <button type="button" disabled={before === undefined} onClick={() => show(before?.at)}>
            Previous event
          </button>
          <button type="button" disabled={after === undefined} onClick={() => show(after?.at)}>
            Next event
          </button>
        </span>
      )}
    </form>
  );
}

const wrongTime = { isGood: false, text: 'A time is a date and a time in UTC, e.g. 2026-03-02 09:00.' };

/** Parses a time. An empty text means now. */
function instantIn(text: string): number | undefined | 'wrong' {
  const trimmed = text.trim();
  return trimmed === '' || trimmed === 'now' ? undefined : (instant(trimmed) ?? 'wrong');
}
