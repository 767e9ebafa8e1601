/** Returns a function that calls `make` once and then returns the same promise. After a rejection it calls `make` again. */
export function once<T>(make: () => Promise<T>): () => Promise<T> {
  let promise: Promise<T> | undefined;
  return () =>
    (promise ??= make().catch((error: unknown) => {
      promise = undefined;
      throw error;
    }));
}

/** {@link once} for each key. */
export function onceFor<K, T>(make: (key: K) => Promise<T>): (key: K) => Promise<T> {
  const makeOnce = memoized((key: K) => once(() => make(key)));
  return (key) => makeOnce(key)();
}

/** Returns a function that calls `make` once for each key. */
export function memoized<K, V>(make: (key: K) => V): (key: K) => V {
  const values = new Map<K, V>();
  return (key) => {
    let value = values.get(key);
    if (value === undefined) values.set(key, (value = make(key)));
    return value;
  };
}
