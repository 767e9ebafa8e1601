import { signal } from '@preact/signals';
import type { StreamFilter } from 'busbar/internal/websocket-protocol';
import type { StreamEvent } from './stream/stream-event.js';

export const views = ['live', 'journeys', 'world', 'compose', 'run', 'consumers'] as const;
export type View = (typeof views)[number];

/** An outcome that an instance could have had: `house-move#1`, `outcome`, `cancelled`. */
export interface OtherOutcome {
  readonly instance: string;
  readonly branch: string;
  readonly outcome: string;
}

/** The visible state of the dashboard. The address contains all of it, for sharing and reloading. */
export interface ViewRoute {
  readonly view: View;
  readonly filter: StreamFilter;
  /** Number of the open event. */
  readonly event: number | undefined;
  /** Cell of the shown journey. */
  readonly customer: number | undefined;
  /** Another outcome for the shown journey. */
  readonly instead: OtherOutcome | undefined;
  /** Number of the shown account. */
  readonly account: string | undefined;
  /** Virtual instant of the shown account; undefined for now. */
  readonly at: number | undefined;
  /** Catalogue name of the event in the composer. */
  readonly compose: string | undefined;
}

export const viewRoute = signal(readRoute(location.search));

/** Changes the route. `replace` adds no entry to the browser's history: use it for refinements. */
export function go(to: Partial<ViewRoute>, how: 'push' | 'replace' = 'push'): void {
  const next = { ...viewRoute.value, ...to };
  const address = addressOf(next);
  if (address === `${location.pathname}${location.search}`) return;
  if (how === 'push') history.pushState(null, '', address);
  else history.replaceState(null, '', address);
  viewRoute.value = next;
}

window.addEventListener('popstate', () => {
  viewRoute.value = readRoute(location.search);
});

export function addressOf({
  view,
  filter,
  event,
  customer,
  instead,
  account,
  at,
  compose,
}: ViewRoute): string {
  const query = new URLSearchParams();
  if (view !== 'live') query.set('view', view);
  for (const [name, value] of Object.entries(filter)) {
    for (const each of [value].flat()) query.append(name, String(each));
  }
  if (customer !== undefined) query.set('customer', String(customer));
  if (instead !== undefined) query.set('instead', `${instead.instance} ${instead.branch} ${instead.outcome}`);
  // `account` is a member of the filter.
  if (account !== undefined) query.set('of', account);
  if (at !== undefined) query.set('at', new Date(at).toISOString());
  if (compose !== undefined) query.set('compose', compose);
  if (event !== undefined) query.set('event', String(event));
  const text = query.toString();
  return text === '' ? '/' : `/?${text}`;
}

function readRoute(search: string): ViewRoute {
  const query = new URLSearchParams(search);
  const texts = (name: string) => query.getAll(name).filter((each) => each !== '' && each.length <= 200);
  const [types, domains] = [texts('types').slice(0, 100), texts('domains').slice(0, 100)];
  const [account, process, text] = ['account', 'process', 'text'].map((name) => texts(name)[0]);
  const [cell, from, to] = ['cell', 'from', 'to'].map((name) => whole(query.get(name)));
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
      ...spanOf({ ...(from !== undefined && { from }), ...(to !== undefined && { to }) }),
    },
    event: whole(query.get('event')),
    customer: whole(query.get('customer')),
    instead: outcomeIn(texts('instead')[0]),
    account: texts('of')[0],
    at: instant(query.get('at')),
    compose: query.get('compose') || undefined,
  };
}

/** Returns the span of virtual time in a filter, as a filter. */
export function spanOf({ from, to }: StreamFilter): StreamFilter {
  return from === undefined || to === undefined ? {} : { from, to };
}

/** Returns the option of a command that selects this emulator. */
export function toThisEmulator(): string {
  return `--to ${location.origin === 'http://127.0.0.1:4100' ? 'emulator' : location.origin}`;
}

/** Returns the route of an account just after an event; without an event, now. */
export function worldOf(account: string, event: StreamEvent | undefined): Partial<ViewRoute> {
  return { view: 'world', account, at: event?.about.at, event: undefined };
}

/** Parses `2026-03-02`, `2026-03-02 09:00` or RFC 3339 to milliseconds since the epoch. The default zone is UTC. */
export function instant(text: string | null): number | undefined {
  const found = /^(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d(?::\d\d(?:\.\d+)?)?)(Z|[+-]\d\d:\d\d)?)?$/i.exec(
    text ?? '',
  );
  const [, date = '', time = '00:00', zone = 'Z'] = found ?? [];
  const [midnight, at] = [Date.parse(date), Date.parse(`${date}T${time}${zone.toUpperCase()}`)];
  if (Number.isNaN(at) || at < 0) return undefined;
  // `Date` takes 31 February for 3 March.
  return new Date(midnight).toISOString().startsWith(date) ? at : undefined;
}

function outcomeIn(text = ''): OtherOutcome | undefined {
  const [instance, branch, outcome] = text.split(' ');
  return instance && branch && outcome ? { instance, branch, outcome } : undefined;
}

function whole(text: string | null): number | undefined {
  return text !== null && /^\d{1,15}$/.test(text) ? Number(text) : undefined;
}
