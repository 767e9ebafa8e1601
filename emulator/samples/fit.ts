import { relayId } from '../world/formats.js';
import { type FieldPath, readField } from './field-path.js';

/** A requested value at a path. */
export interface Override {
  readonly path: FieldPath;
  readonly value: unknown;
}

/** A requested length of a list. */
export interface ListLength {
  readonly path: FieldPath;
  readonly length: number;
}

/** Payloads from scenarios to choose from, played on demand. */
interface Played {
  /** Payloads of the sample's cell; the first is the default. */
  readonly own: () => Iterable<unknown>;
  /** Payloads of other cells, for values of lists only. */
  readonly others: () => Iterable<unknown>;
}

/**
 * Returns the played payload that matches the overrides best. It chooses the values of a list in the same way: a supply
 * point that must be gas is one with an MPRN. An overridden identifier replaces the played one everywhere in the payload.
 * `generate` writes the other overrides.
 */
export function fit(
  { own, others }: Played,
  overrides: readonly Override[],
  lengths: readonly ListLength[],
): unknown {
  let best: unknown;
  let bestScore = -1;
  const direct = overrides.filter(({ path }) => path.every((part) => typeof part === 'string'));
  for (const payload of own()) {
    const score = likeness(payload, direct);
    if (score > bestScore) [best, bestScore] = [payload, score];
    if (direct.every((each) => isAlike(payload, each))) break;
  }
  const fitted = fitWithin(best, { overrides, lengths, others });
  return renamed(fitted, identifiersIn(fitted, overrides));
}

interface Want {
  readonly overrides: readonly Override[];
  readonly lengths: readonly ListLength[];
  /** Values at the same path of other payloads. */
  readonly others: () => Iterable<unknown>;
}

function fitWithin(value: unknown, want: Want): unknown {
  const parts = new Set([...want.overrides, ...want.lengths].flatMap(({ path }) => path.slice(0, 1)));
  if (Array.isArray(value)) return fitList(value, want);
  if (typeof value !== 'object' || value === null) return value;
  const fields = Object.entries(value).map(([name, each]) => [
    name,
    parts.has(name) ? fitWithin(each, below(want, name)) : (each as unknown),
  ]);
  return Object.fromEntries(fields);
}

function fitList(played: readonly unknown[], want: Want): unknown[] {
  const places = want.overrides.flatMap(({ path }) => (typeof path[0] === 'number' ? [path[0]] : []));
  const wanted = want.lengths.find(({ path }) => path.length === 0)?.length;
  const length = wanted ?? Math.max(played.length, ...places.map((place) => place + 1));
  const unused = [...played];
  const more = flat(want.others());
  const fitted = Array.from<unknown>({ length });
  // Indexes with overrides come first.
  const order = [...new Set([...places, ...fitted.keys()])].filter((place) => place < length);
  for (const place of order) {
    const inside = below(want, place);
    const isFitting = (value: unknown) => inside.overrides.every((each) => isAlike(value, each));
    while (!unused.some(isFitting)) {
      const { done, value } = more.next();
      if (done === true) break;
      unused.push(value);
    }
    const scores = unused.map(
      (value) => likeness(value, inside.overrides) + Number(value === played[place]) / 2,
    );
    const best = scores.indexOf(Math.max(...scores));
    fitted[place] =
      best === -1 ? played[place % played.length] : fitWithin(unused.splice(best, 1)[0], inside);
  }
  return fitted;
}

/** Returns the requests inside that part. */
function below({ overrides, lengths, others }: Want, part: string | number): Want {
  const within = <T extends { readonly path: FieldPath }>(all: readonly T[]) =>
    all.filter(({ path }) => path[0] === part).map((each) => ({ ...each, path: each.path.slice(1) }));
  return {
    overrides: within(overrides),
    lengths: within(lengths),
    *others() {
      for (const other of typeof part === 'string' ? others() : []) yield readField(other, [part]);
    },
  };
}

function* flat(lists: Iterable<unknown>): Generator<unknown, undefined, void> {
  for (const list of lists) if (Array.isArray(list)) yield* list as unknown[];
}

function likeness(value: unknown, overrides: readonly Override[]): number {
  const equal = overrides.filter((each) => readField(value, each.path) === each.value).length;
  return equal + overrides.filter((each) => isAlike(value, each)).length;
}

/** Whether the payload matches the override: words must be equal, other values must have the same type. */
function isAlike(payload: unknown, { path, value }: Override): boolean {
  const played = readField(payload, path);
  if (path.length === 0) return true;
  if (typeof played !== 'string' || typeof value !== 'string') return typeof played === typeof value;
  return played === value || (/\d/.test(played) && played.length === value.length);
}

/** Returns the new identifiers by the played ones. */
function identifiersIn(payload: unknown, overrides: readonly Override[]): ReadonlyMap<unknown, unknown> {
  const pairs = overrides
    .map(({ path, value }) => ({ name: String(path.at(-1)), value, played: readField(payload, path) }))
    .filter(({ name, played, value }) => typeof played === typeof value && isIdentifier(name, played))
    .map(({ played, value }) => [played, value] as const);
  return new Map(pairs);
}

function isIdentifier(name: string, value: unknown): boolean {
  if (typeof value === 'number') return /(^|_)id$/.test(name);
  return (
    typeof value === 'string' && /^[^@]*\d.{5}|@/.test(value) && !/^\d{4}-\d\d-\d\d|^[\d.]+\.\d+$/.test(value)
  );
}

function renamed(value: unknown, names: ReadonlyMap<unknown, unknown>): unknown {
  if (names.size === 0) return value;
  if (Array.isArray(value)) return value.map((each) => renamed(each, names));
  if (typeof value === 'object' && value !== null) {
    return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, renamed(each, names)]));
  }
  if (names.has(value)) return names.get(value);
  const [, type, id] =
    typeof value === 'string' ? (relay.exec(Buffer.from(value, 'base64').toString()) ?? []) : [];
  const other = id === undefined ? undefined : names.get(Number(id));
  return type !== undefined && typeof other === 'number' ? relayId(type, other) : value;
}

const relay = /^([A-Z][A-Za-z]*):(\d+)$/;
