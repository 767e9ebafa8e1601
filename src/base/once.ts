/** The same, but made by the first call only. A failure is not kept: the next call tries again. */
export function once<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | undefined;
  return () =>
    (made ??= make().catch((error: unknown) => {
      made = undefined;
      throw error;
    }));
}

/** {@link once}, apart for each key. */
export function onceFor<K, T>(make: (key: K) => Promise<T>): (key: K) => Promise<T> {
  const made = new Map<K, () => Promise<T>>();
  return (key) => {
    const known = made.get(key) ?? once(() => make(key));
    made.set(key, known);
    return known();
  };
}
