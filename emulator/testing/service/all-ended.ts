/**
 * Resolves with all results when every promise has ended; the first failure is thrown then. A process that is still being
 * started would otherwise outlive the verification.
 */
export async function allEnded<T extends readonly unknown[]>(
  promises: { readonly [K in keyof T]: Promise<T[K]> },
): Promise<T> {
  await Promise.allSettled(promises);
  return await Promise.all(promises);
}
