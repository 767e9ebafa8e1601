import { signal } from '@preact/signals';
import { resend } from '../compose/draft.js';
import { journeyFeed } from '../journeys/journey-feed.js';
import { findEvent, held, hold, release, moveSelection } from '../live/live-feed.js';
import { go, viewRoute, worldOf } from '../view-route.js';
import { eventIn } from '../stream/recent-events.js';
import { accountsOf, type StreamEvent } from '../stream/stream-event.js';
import { inStorage } from './theme.js';

/** Whether keys that type a character act. The browser remembers the choice. */
const hasCharacterKeys = signal(inStorage((storage) => storage.getItem('keys')) !== 'off');

/** Keys and their help texts. */
export const keys: readonly (readonly [key: string, what: string])[] = [
  ['/', 'Filter the events'],
  ['↓ ↑', 'Next older, next newer event'],
  ['Space', 'Pause or resume the list'],
  ['j', 'Customer journey of the open event'],
  ['l', 'Live events'],
  ['w', 'World: the account of the open event'],
  ['e', 'Compose a copy of the open event'],
  ['r', 'Run: start scenarios, set faults'],
  ['c', 'Consumers and dead letters'],
  ['Esc', 'Close the event or this help'],
  ['?', 'Show or hide this help'],
];

/** Handles keys outside of input fields. Returns a function that stops it. */
export function listenForKeys(): () => void {
  const pressed = (event: KeyboardEvent) => {
    if (isOfBrowser(event)) return;
    const { target, key } = event;
    // Dictated text would act, too.
    if (key.length === 1 && !hasCharacterKeys.peek()) return;
    if (
      target instanceof HTMLInputElement ||
      target instanceof HTMLTextAreaElement ||
      target instanceof HTMLSelectElement
    ) {
      return;
    }
    // The space bar presses a focused button.
    if (event.key === ' ' && (target instanceof HTMLButtonElement || target instanceof HTMLAnchorElement))
      return;
    const act = actions[event.key];
    if (event.key === '?') toggleHelp();
    // The help hides the view. The browser closes it, and returns the focus.
    else if (helpDialog().open) return;
    else if (act === undefined || act() === false) return;
    event.preventDefault();
  };
  window.addEventListener('keydown', pressed);
  return () => window.removeEventListener('keydown', pressed);
}

/** Whether a key belongs to the browser, for example to zoom or to go back, or to an input method. */
export function isOfBrowser({ ctrlKey, metaKey, altKey, isComposing }: KeyboardEvent): boolean {
  return ctrlKey || metaKey || altKey || isComposing;
}

/** Actions by key. An action that returns false leaves the key to the browser. */
const actions: Readonly<Record<string, () => unknown>> = {
  '/': () => {
    const focus = () => document.getElementById('filter')?.focus();
    focus();
    if (viewRoute.peek().view === 'live') return;
    go({ view: 'live' });
    // The view is drawn by then.
    requestAnimationFrame(focus);
  },
  ArrowDown: () => onLive(() => moveSelection(1)),
  ArrowUp: () => onLive(() => moveSelection(-1)),
  ' ': () => onLive(() => (held.peek() === undefined ? hold(true) : release())),
  j: () => {
    const event = openedEvent();
    go(event === undefined ? { view: 'journeys' } : { view: 'journeys', customer: event.about.cell });
  },
  w: () => {
    const event = openedEvent();
    const account = event && accountsOf(event)[0];
    go(account === undefined ? { view: 'world', event: undefined } : worldOf(account, event));
  },
  e: () => {
    const event = openedEvent();
    if (event === undefined) go({ view: 'compose', event: undefined });
    else resend(event);
  },
  r: () => go({ view: 'run', event: undefined }),
  c: () => go({ view: 'consumers', event: undefined }),
  l: () => go({ view: 'live', event: undefined }),
  Escape: () => {
    if (viewRoute.peek().event === undefined) return false;
    go({ event: undefined });
    return true;
  },
};

/** Returns the open event of the list or the journey. */
function openedEvent(): StreamEvent | undefined {
  const { event, view } = viewRoute.peek();
  if (event === undefined) return undefined;
  return view === 'journeys' ? eventIn(journeyFeed.peek().kept.list, event) : findEvent(event);
}

function onLive(act: () => void): boolean {
  if (viewRoute.peek().view !== 'live') return false;
  act();
  return true;
}

/** The help, hidden until {@link toggleHelp}. */
export function Help() {
  return (
    <dialog id="help" aria-labelledby="help-title">
      <h2 id="help-title">Keys</h2>
      <dl class="keys">
        {keys.map(([key, what]) => (
          <div key={key}>
            <dt>
              <kbd>{key}</kbd>
            </dt>
            <dd>{what}</dd>
          </div>
        ))}
      </dl>
      <p class="keys">
        <label>
          <input
            type="checkbox"
            checked={hasCharacterKeys.value}
            onChange={({ currentTarget: { checked } }) => {
              hasCharacterKeys.value = checked;
              inStorage((storage) => storage.setItem('keys', checked ? 'on' : 'off'));
            }}
          />{' '}
          Use letters and signs as shortcuts
        </label>
      </p>
      <button type="button" autofocus onClick={toggleHelp}>
        Close
      </button>
    </dialog>
  );
}

/** Shows or hides the help. */
export function toggleHelp(): void {
  const dialog = helpDialog();
  if (dialog.open) dialog.close();
  else dialog.showModal();
}

function helpDialog(): HTMLDialogElement {
  return document.getElementById('help') as HTMLDialogElement;
}
