/** The formats of texts, the first that matches. */
const formats: readonly (readonly [name: string, pattern: RegExp])[] = [
  ['empty', /^$/],
  ['date', /^\d{4}-\d\d-\d\d$/],
  ['date-time UTC', /^\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d+)?)?Z$/],
  ['date-time with offset', /^\d{4}-\d\d-\d\d[T ]\d\d:\d\d(?::\d\d(?:\.\d+)?)?[+-]\d\d:?\d\d$/],
  ['date-time without offset', /^\d{4}-\d\d-\d\d[T ]\d\d:\d\d(?::\d\d(?:\.\d+)?)?$/],
  ['time', /^\d\d:\d\d(?::\d\d(?:\.\d+)?)?$/],
  ['UUID', /^[\da-f]{8}-(?:[\da-f]{4}-){3}[\da-f]{12}$/i],
  ['whole number', /^-?\d+$/],
  ['decimal number', /^-?\d+\.\d+$/],
  ['e-mail address', /^[^\s@]+@[^\s@]+$/],
  ['URL', /^[a-z][a-z\d+.-]*:\/\//i],
  ['code in capitals', /^[A-Z\d]+(?:[_-][A-Z\d]+)*$/],
];

/** Returns the name of a string's format, for example `date`. */
export function formatOf(text: string): string {
  const known = text.length > 200 ? undefined : formats.find(([, pattern]) => pattern.test(text));
  return known?.[0] ?? 'text';
}
