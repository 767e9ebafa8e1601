/** Every value of a payload under its path, `supply_points[0].market_name`; at most `most` of them. */
export function flatFields(value: unknown, most: number): Map<string, string> {
  const found = new Map<string, string>();
  // A list of its own instead of recursion: a payload may be nested deeper than the stack is high.
  const waiting: [string, unknown][] = [['', value]];
  for (let next = waiting.pop(); next !== undefined && found.size < most; next = waiting.pop()) {
    const [path, each] = next;
    if (typeof each !== 'object' || each === null || Object.keys(each).length === 0) {
      found.set(path, typeof each === 'string' ? each : JSON.stringify(each));
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
