/** A member for an options object, when the command line has a value for it; read by `parse` where that is named. */
export function given<K extends string, A>(name: K, value: A | undefined): { [P in K]?: A };
export function given<K extends string, A, B>(
  name: K,
  value: A | undefined,
  parse: (value: A) => B,
): { [P in K]?: B };
export function given(
  name: string,
  value: unknown,
  parse: (value: never) => unknown = (same) => same,
): Record<string, unknown> {
  return value === undefined ? {} : { [name]: parse(value as never) };
}
