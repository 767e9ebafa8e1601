/** Returns the value with each time as milliseconds since the epoch, so that formats do not differ. */
export function sameInstants(value: unknown): unknown {
  if (typeof value === 'string') return instantOf(value) ?? value;
  if (value instanceof Date) return value.getTime();
  if (Array.isArray(value)) return value.map(sameInstants);
  if (value instanceof Map) {
    return new Map([...value].map(([key, each]) => [sameInstants(key), sameInstants(each)]));
  }
  if (value instanceof Set) return new Set([...value].map(sameInstants));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, sameInstants(each)] as const));
}

/** Returns the instant of a string. `2026-03-02`, `20260302` and midnight UTC are the same. */
function instantOf(text: string): number | undefined {
  const basic = /^((?:19|20)\d\d)(\d\d)(\d\d)$/.exec(text);
  const day = basic === null ? text : `${basic[1]}-${basic[2]}-${basic[3]}`;
  if (!/^\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:\d\d))?$/.test(day)) return undefined;
  const at = Date.parse(day);
  return Number.isNaN(at) ? undefined : at;
}
