/** Returns up to `most` values of a payload by path, e.g. `supply_points[0].market_name`. */
export function flatFields(
  value: unknown,
  most: number,
  write = (each: unknown) => (typeof each === 'string' ? each : JSON.stringify(each)),
): Map<string, string> {
  const found = new Map<string, string>();
  // A list instead of recursion: deep payloads would overflow the stack.
  const waiting: [string, unknown][] = [['', value]];
  for (let next = waiting.pop(); next !== undefined && found.size < most; next = waiting.pop()) {
    const [path, each] = next;
    if (typeof each !== 'object' || each === null || Object.keys(each).length === 0) {
      found.set(path, write(each));
      continue;
    }
    const members = Object.entries(each).map(([name, member]): [string, unknown] => [
      Array.isArray(each) ? `${path}[${name}]` : path === '' ? name : `${path}.${name}`,
      member,
    ]);
    waiting.push(...members.slice(0, most).reverse());
  }
  return found;
}
