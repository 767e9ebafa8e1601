import type { Catalogue } from '../../../../catalogue/index.js';
import { defined } from '../../../base/defined.js';
import { memberPointer } from '../../../base/json-pointer.js';
import type { EnvelopePaths } from '../../../envelope/at-paths.js';
import type { ConsumerRecord } from '../../../transports/transport.js';
import { bump } from './place.js';

/** The texts and objects of a record by path: `header:` and a name, or a JSON pointer. */
interface Parts {
  readonly texts: ReadonlyMap<string, string>;
  readonly objects: ReadonlyMap<string, object>;
}

const maxDepth = 3;

/**
 * Finds the paths of type, version and payload in most of the records: by events of the catalogue, else by usual names.
 * Undefined without a type.
 */
export async function findPaths(
  records: readonly ConsumerRecord[],
  catalogue: Catalogue,
): Promise<EnvelopePaths | undefined> {
  const all = records.map(partsOf);
  const name =
    mostFrequent(all.flatMap((parts) => [...knownNames(parts, catalogue)])) ??
    mostFrequent(all.flatMap((parts) => [...usualNames(parts)]));
  if (name === undefined) return undefined;
  const [type = '', version] = name.split('\n');
  const payloads = await Promise.all(all.map((parts) => payloadPath(parts, type, version, catalogue)));
  const payload = mostFrequent(payloads.filter((path) => path !== undefined));
  if (payload === undefined) return undefined;
  const names = [type, version];
  const isOutside = (path: string): boolean => {
    if (names.includes(path)) return false;
    if (path.startsWith('header:')) return true;
    // Of a payload that is the whole value, only fields next to the type are about the event.
    return payload === '' ? names.some((each) => areSiblings(each, path)) : !path.startsWith(`${payload}/`);
  };
  /** Returns the path that most records have, if at least half of them do. */
  const find = (name: RegExp, value: RegExp, { isUnique = false } = {}): string | undefined => {
    const found = all.flatMap(({ texts }) =>
      [...texts].filter(([path, text]) => name.test(path) && value.test(text) && isOutside(path)),
    );
    // A string that other records repeat, for example the id of a tenant, counts once.
    const counted = isUnique ? new Map(found.map((each) => [each.join('\n'), each])).values() : found;
    const paths = [...counted].map(([path]) => path);
    const best = mostFrequent(paths);
    return paths.filter((path) => path === best).length * 2 < records.length ? undefined : best;
  };
  const id = find(idPath, /./, { isUnique: true });
  const occurrenceId = find(/occurrence[_-]?id$/i, /./);
  const occurredAt = find(occurredPath, dateTime) ?? find(sentPath, dateTime);
  return defined({ type, version, payload, id, occurrenceId, occurredAt });
}

/** The id of an event. Other ids, for example of a tenant or a trace, would make `idempotent` skip events. */
const idPath = /[/:]((x|ce)[_-])?((event|message)[_-]?)?id$/i;
const occurredPath = /occurred[_-]?(at|on)?$|([/:]((x|ce)[_-])?|event[_-]?)(time(stamp)?|date)$/i;
const sentPath = /([/:]|created|published|produced|emitted|sent)[_-]?(at|on|time(stamp)?|date)$/i;
const dateTime = /^\d{4}-\d\d-\d\dT/;

/** Whether two JSON pointers are members of one object. */
function areSiblings(one: string | undefined, other: string): boolean {
  return one?.startsWith('/') === true && parentOf(one) === parentOf(other);
}

function parentOf(pointer: string): string {
  return pointer.slice(0, pointer.lastIndexOf('/'));
}

/** Yields the paths of catalogue names, and those of types and versions, as lines. */
function* knownNames({ texts }: Parts, catalogue: Catalogue): Generator<string, void, void> {
  for (const [path, text] of texts) {
    if (catalogue.named(text) !== undefined) yield path;
    if (!catalogue.hasType(text)) continue;
    const versions = catalogue.versionsOf(text);
    for (const [other, version] of texts) if (versions.includes(version)) yield `${path}\n${other}`;
  }
}

const typePath = /(^|[/:_.-])(type|event|name|detail-type|event[_-]?(type|name))$/i;
const typeText = /^([a-z][a-z0-9_]*([.-][a-z0-9_]+)+|([A-Z][a-z0-9]+){2,})$/;

function* usualNames({ texts }: Parts): Generator<string, void, void> {
  for (const [path, text] of texts) {
    if (!typePath.test(path) || !typeText.test(text)) continue;
    const version = [...texts].find(
      ([other, each]) => /version$/i.test(other) && /^v?\d+(\.\d+)*$/.test(each),
    );
    yield version === undefined ? path : `${path}\n${version[0]}`;
  }
}

/** Returns the path of the object with most fields of the event, and fewest others; else one with a usual name. */
async function payloadPath(
  { texts, objects }: Parts,
  type: string,
  version: string | undefined,
  catalogue: Catalogue,
): Promise<string | undefined> {
  const name = texts.get(type) ?? '';
  const event =
    version === undefined ? catalogue.named(name) : catalogue.find(name, texts.get(version) ?? '');
  const { properties = {} } = event === undefined ? {} : await catalogue.schema(event);
  const scored = [...objects].map(([path, object]) => {
    const known = Object.keys(object).filter((field) => Object.hasOwn(properties, field)).length;
    return { path, known, others: Object.keys(object).length - known };
  });
  const [best] = scored.sort((one, other) => other.known - one.known || one.others - other.others);
  if (best !== undefined && best.known > 0) return best.path;
  return [...objects.keys()].find((path) => /(^|\/)(payload|data|detail|body|content)$/i.test(path));
}

function partsOf({ headers, value }: ConsumerRecord): Parts {
  const texts = new Map<string, string>();
  const objects = new Map<string, object>();
  for (const [name, bytes] of headers) texts.set(`header:${name}`, Buffer.from(bytes).toString());
  const add = (path: string, part: unknown, depth: number): void => {
    if (typeof part === 'number') texts.set(path, String(part));
    if (typeof part === 'string') texts.set(path, part);
    const object = typeof part === 'string' && part.startsWith('{') ? parse(part) : part;
    if (typeof object !== 'object' || object === null || Array.isArray(object)) return;
    objects.set(path, object);
    if (depth === maxDepth || typeof part === 'string') return;
    for (const [name, each] of Object.entries(object)) {
      add(memberPointer(path, name), each, depth + 1);
    }
  };
  add('', parse(Buffer.from(value ?? []).toString()), 0);
  return { texts, objects };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function mostFrequent(values: readonly string[]): string | undefined {
  const counts = new Map<string, number>();
  for (const value of values) bump(counts, value);
  let best: string | undefined;
  for (const [value, count] of counts)
    if (best === undefined || count > (counts.get(best) ?? 0)) best = value;
  return best;
}
