import { type ReadonlySignal, signal } from '@preact/signals';
import { useEffect, useMemo, useRef } from 'preact/hooks';
import { fetchJson, restarts } from './requests.js';

/** `stale`: the emulator does not respond, so the value is an earlier one. `missing`: the server refuses the request. */
export interface Loaded<T> {
  readonly state: 'loading' | 'ready' | 'stale' | 'missing';
  /** Undefined before the first response. */
  readonly value: T | undefined;
}

export interface Query<T> {
  readonly loaded: ReadonlySignal<Loaded<T>>;
  /** Requests the value now, or right after the present request. */
  readonly refresh: () => void;
  /** Requests the value until the returned function is called. */
  readonly watch: () => () => void;
}

interface Timing {
  /** Milliseconds between two requests; `once` for none after a response. Default 1,000. */
  readonly period?: number | 'once';
  /** Milliseconds before the first request. Default 0. */
  readonly pause?: number;
}

/** Milliseconds until a request is repeated, also after one without a response. */
const usualPeriod = 1_000;
/** Milliseconds until a request is repeated that the server has refused. */
const refusedPeriod = 10_000;

/**
 * Returns a value that the server has, with one request in flight.
 * @param request Sends the next request; returns undefined if there is none to send.
 */
export function query<T>(
  request: () => ReturnType<typeof fetchJson> | undefined,
  { period = usualPeriod, pause = 0 }: Timing = {},
): Query<T> {
  const loaded = signal<Loaded<T>>({ state: 'loading', value: undefined });
  let timer: number | undefined;
  let watchers = 0;
  let isLoading = false;
  let isAskedAgain = false;
  const isRefused = () => loaded.peek().state === 'missing';
  const hasResponse = () => isRefused() || loaded.peek().state === 'ready';
  const schedule = (milliseconds: number) => {
    clearTimeout(timer);
    timer = window.setTimeout(() => void load(), milliseconds);
  };
  const load = async () => {
    clearTimeout(timer);
    isAskedAgain = isLoading;
    if (isLoading) return;
    isLoading = true;
    const sent = request();
    if (sent !== undefined) {
      const received = await sent;
      if (received?.value !== undefined) loaded.value = { state: 'ready', value: received.value as T };
      else loaded.value = { ...loaded.value, state: received === undefined ? 'stale' : 'missing' };
    }
    isLoading = false;
    if (isAskedAgain) void load();
    else if (watchers > 0 && period !== 'once') schedule(isRefused() ? refusedPeriod : period);
    else if (watchers > 0 && !hasResponse()) schedule(usualPeriod);
  };
  return {
    loaded,
    refresh: () => void load(),
    watch() {
      watchers++;
      if (period !== 'once' || !(isLoading || hasResponse())) schedule(pause);
      return () => {
        watchers--;
        if (watchers === 0) clearTimeout(timer);
      };
    },
  };
}

interface Wanted extends Timing {
  /** A value of the same subject stays while another loads. Default: the path. */
  readonly subject?: string;
  /** JSON to send. Default: none. */
  readonly body?: unknown;
  /** Values whose change requests the value again. Default: none. */
  readonly inputs?: readonly unknown[];
}

/** Returns the present value under a path, of another emulator after a restart; without a path, none. */
export function useQuery<T>(
  path: string | undefined,
  { subject = path, body, inputs = [], ...timing }: Wanted = {},
): Loaded<T> & Pick<Query<T>, 'refresh'> {
  const { loaded, refresh, watch } = useMemo(
    () => query<T>(() => (path === undefined ? undefined : fetchJson(path, body)), timing),
    [path, body, restarts.value, ...inputs],
  );
  useEffect(watch, [watch]);
  const { state, value } = loaded.value;
  return { state, value: useEarlier(subject, value), refresh };
}

/** Returns a value; while it is undefined, an earlier one of the same subject. */
export function useEarlier<T>(subject: string | undefined, value: T | undefined): T | undefined {
  const last = useRef({ subject, value });
  if (value !== undefined || last.current.subject !== subject) last.current = { subject, value };
  return last.current.value;
}
