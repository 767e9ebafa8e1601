import { type ReadonlySignal, signal } from '@preact/signals';
import { useEffect, useMemo, useRef } from 'preact/hooks';
import { fetchJson } from './requests.js';

/** `stale`: the emulator does not respond, so the value is an earlier one. `missing`: the server refuses the path. */
export interface Loaded<T> {
  readonly state: 'loading' | 'ready' | 'stale' | 'missing';
  /** Undefined before the first response. */
  readonly value: T | undefined;
}

export interface Query<T> {
  readonly loaded: ReadonlySignal<Loaded<T>>;
  /** Requests the value now, or right after the present request. */
  readonly refresh: () => void;
  /** Requests the value again and again. Returns a function that stops it. */
  readonly watch: () => () => void;
}

/**
 * Returns a value that the server has under a path. One request is in flight, with `period` milliseconds between two.
 * @param pathOf Returns the path of the next request; undefined for none.
 */
export function query<T>(pathOf: () => string | undefined, period = 1_000): Query<T> {
  const loaded = signal<Loaded<T>>({ state: 'loading', value: undefined });
  let timer: number | undefined;
  let isWatched = false;
  let isLoading = false;
  let isAskedAgain = false;
  const load = async () => {
    clearTimeout(timer);
    isAskedAgain = isLoading;
    if (isLoading) return;
    isLoading = true;
    const path = pathOf();
    if (path !== undefined) {
      const received = await fetchJson(path);
      if (received?.value !== undefined) loaded.value = { state: 'ready', value: received.value as T };
      else loaded.value = { ...loaded.value, state: received === undefined ? 'stale' : 'missing' };
    }
    isLoading = false;
    if (isAskedAgain) void load();
    else if (isWatched) timer = window.setTimeout(() => void load(), period);
  };
  return {
    loaded,
    refresh: () => void load(),
    watch() {
      isWatched = true;
      void load();
      return () => {
        isWatched = false;
        clearTimeout(timer);
      };
    },
  };
}

/** Returns the present value under a path. A value of the same subject stays while another path loads. */
export function useQuery<T>(
  path: string,
  subject = path,
  period?: number,
): Loaded<T> & Pick<Query<T>, 'refresh'> {
  const { loaded, refresh, watch } = useMemo(() => query<T>(() => path, period), [path]);
  useEffect(watch, [watch]);
  const last = useRef<{ readonly subject: string; readonly value: T } | undefined>(undefined);
  const { state, value } = loaded.value;
  if (value !== undefined) last.current = { subject, value };
  const earlier = last.current?.subject === subject ? last.current.value : undefined;
  return { state, value: value ?? earlier, refresh };
}
