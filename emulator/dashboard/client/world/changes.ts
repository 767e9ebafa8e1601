/** A field that differs between two documents. */
export interface Change {
  readonly kind: 'new' | 'changed' | 'gone';
  /** Path of the field, e.g. `properties[0].moved_out_at`; the former path of a removed field. */
  readonly path: string;
  readonly was?: unknown;
  readonly is?: unknown;
}

/** Returns the differences of two documents. Items of lists are matched by identity, not by position. */
export function changesBetween(before: unknown, after: unknown): Change[] {
  return compare(before, after, '');
}

function compare(before: unknown, after: unknown, path: string): Change[] {
  if (before === after) return [];
  if (Array.isArray(before) && Array.isArray(after)) return compareLists(before, after, path);
  if (isObject(before) && isObject(after)) {
    const names = new Set([...Object.keys(before), ...Object.keys(after)]);
    return [...names].flatMap((name) =>
      compareMember(before[name], after[name], path === '' ? name : `${path}.${name}`),
    );
  }
  return [{ kind: 'changed', path, was: before, is: after }];
}

function compareMember(before: unknown, after: unknown, path: string): Change[] {
  if (before === undefined && after !== undefined) return [{ kind: 'new', path, is: after }];
  if (before !== undefined && after === undefined) return [{ kind: 'gone', path, was: before }];
  return compare(before, after, path);
}

function compareLists(before: readonly unknown[], after: readonly unknown[], path: string): Change[] {
  const former = new Map(before.map((item, index) => [identityOf(item, index), item]));
  const kept = new Set<string>();
  const changes = after.flatMap((item, index) => {
    const identity = identityOf(item, index);
    kept.add(identity);
    return compareMember(former.get(identity), item, `${path}[${index}]`);
  });
  const gone = before.flatMap((item, index): Change[] =>
    kept.has(identityOf(item, index)) ? [] : [{ kind: 'gone', path: `${path}[${index}]`, was: item }],
  );
  return [...changes, ...gone];
}

const identities = ['id', 'number', 'mpan', 'mprn', 'serial_number', 'identifier'];

/** Returns an item's identity: an identifying field, else its index. */
function identityOf(item: unknown, index: number): string {
  const name = isObject(item) ? identities.find((each) => Object.hasOwn(item, each)) : undefined;
  return name === undefined ? String(index) : `${name} ${JSON.stringify((item as Fields)[name])}`;
}

type Fields = Readonly<Record<string, unknown>>;

function isObject(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
