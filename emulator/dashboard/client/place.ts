import { signal } from '@preact/signals';
import type { StreamFilter } from '../../../src/transports/websocket-protocol.js';

export const views = ['live', 'journeys', 'world', 'compose', 'run', 'consumers', 'charts'] as const;
export type View = (typeof views)[number];

/** What the page shows; all of it stands in its address, so that it can be shared and comes back on reload. */
export interface Place {
  readonly view: View;
  readonly filter: StreamFilter;
  /** Number of the event that is open. */
  readonly event: number | undefined;
  /** The household or business whose journey is shown. */
  readonly customer: number | undefined;
  /** The account that is shown, and the virtual instant it is shown at; undefined: now. */
  readonly account: string | undefined;
  readonly at: number | undefined;
  /** Catalogue name of the event that is composed. */
  readonly compose: string | undefined;
}

export const place = signal(readPlace(location.search));

/** Goes there. What only refines what is seen replaces the address; `Back` leads to where one really was. */
export function go(to: Partial<Place>, how: 'push' | 'replace' = 'push'): void {
  const next = { ...place.value, ...to };
  const address = addressOf(next);
  if (address === `${location.pathname}${location.search}`) return;
  if (how === 'push') history.pushState(null, '', address);
  else history.replaceState(null, '', address);
  place.value = next;
}

/** What a link does within the page; with a key held, the browser opens it elsewhere. */
export function follow(to: Partial<Place>): (event: MouseEvent) => void {
  return (event) => {
    if (event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    go(to);
  };
}

window.addEventListener('popstate', () => {
  place.value = readPlace(location.search);
});

export function addressOf({ view, filter, event, customer, account, at, compose }: Place): string {
  const query = new URLSearchParams();
  if (view !== 'live') query.set('view', view);
  for (const [name, value] of Object.entries(filter)) {
    for (const each of [value].flat()) query.append(name, String(each));
  }
  if (customer !== undefined) query.set('customer', String(customer));
  // `account` is a member of the filter.
  if (account !== undefined) query.set('of', account);
  if (at !== undefined) query.set('at', new Date(at).toISOString());
  if (compose !== undefined) query.set('compose', compose);
  if (event !== undefined) query.set('event', String(event));
  const text = query.toString();
  return text === '' ? '/' : `/?${text}`;
}

export function readPlace(search: string): Place {
  const query = new URLSearchParams(search);
  const texts = (name: string) => query.getAll(name).filter((each) => each !== '' && each.length <= 200);
  const [types, domains] = [texts('types').slice(0, 100), texts('domains').slice(0, 100)];
  const [account, process, text] = ['account', 'process', 'text'].map((name) => texts(name)[0]);
  const cell = whole(query.get('cell'));
  return {
    view: views.find((view) => view === query.get('view')) ?? 'live',
    filter: {
      ...(types.length > 0 && { types }),
      ...(domains.length > 0 && { domains }),
      ...(account && { account }),
      ...(cell !== undefined && { cell }),
      ...(process && { process }),
      ...(text && { text }),
      ...(query.has('faults') && { faults: true }),
    },
    event: whole(query.get('event')),
    customer: whole(query.get('customer')),
    account: texts('of')[0],
    at: instant(query.get('at')),
    compose: texts('compose')[0],
  };
}

/** How a command finds the emulator that this page is of: without its address where that is the default one. */
export function toThisEmulator(): string {
  return `--to ${location.origin === 'http://127.0.0.1:4100' ? 'emulator' : location.origin}`;
}

/** Milliseconds since the epoch, of RFC 3339. */
export function instant(text: string | null): number | undefined {
  const at = Date.parse(text ?? '');
  return Number.isNaN(at) || at < 0 ? undefined : at;
}

function whole(text: string | null): number | undefined {
  return text !== null && /^\d{1,15}$/.test(text) ? Number(text) : undefined;
}
