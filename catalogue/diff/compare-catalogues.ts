import type { CatalogueEvent } from '../event-index.js';
import type { Catalogue } from '../catalogue.js';
import type { Documents, JsonSchema } from '../schema.js';
import { isAnnotation } from './alternatives.js';
import { compareSchemas, type FieldDifference } from './compare-schemas.js';
import { type FieldReads, isRead, type Mount } from './field-reads.js';

/** A difference of two catalogues. */
export interface Difference extends FieldDifference {
  /** Shape that the pointer starts in. Undefined: it starts in the payload of the event. */
  readonly shape?: string;
  /** Catalogue names of the events that the difference reaches. */
  readonly events: readonly string[];
  /** Handlers that read the field, by event; undefined without a consumer. */
  readonly handlers?: Readonly<Record<string, readonly string[]>>;
}

/** The part of a catalogue that a comparison uses. */
export type ComparedCatalogue = Pick<Catalogue, 'events' | 'documents'>;

/**
 * Returns the differences of two catalogues, events first. A difference within a shape is listed once, with every event
 * that it reaches.
 * @param reads Fields that the handlers of a consumer read.
 */
export async function compareCatalogues(
  old: ComparedCatalogue,
  young: ComparedCatalogue,
  reads?: FieldReads,
): Promise<Difference[]> {
  const documents = [wholeShapes(await old.documents()), wholeShapes(await young.documents())] as const;
  const shapes = [documents[0].shapes, documents[1].shapes] as const;
  const mounts = new Map<string, Mount[]>();
  const compare = (owner: string, before: JsonSchema, after: JsonSchema): FieldDifference[] => {
    if (mounts.has(owner)) return [];
    const found: Mount[] = [];
    mounts.set(owner, found);
    return compareSchemas(
      { shapes, sameShape: (pointer, shape) => found.push({ pointer, shape }) },
      before,
      after,
    );
  };

  const inEvents = old.events.flatMap((event) => {
    const { name } = event;
    const after = young.events.find((each) => each.name === name);
    const own = after === undefined ? [missing(event, young)] : differentKeys(event, after);
    const fields = after && compare(name, documents[0].events[name] ?? {}, documents[1].events[name] ?? {});
    return [...own, ...(fields ?? [])].map((each) => ({ ...each, owner: name }));
  });
  const known = new Set(old.events.map(({ name }) => name));
  const added = young.events
    .filter(({ name }) => !known.has(name))
    .map((event) => ({ ...missing(event, old), change: 'added', breaks: [], owner: event.name }));
  const inShapes = [];
  for (const { shape } of walk(mounts)) {
    const found = compare(shape, shapes[0][shape] ?? {}, shapes[1][shape] ?? {});
    inShapes.push(...found.map((each) => ({ ...each, owner: shape, shape })));
  }

  const reached = new Map<string, string[]>();
  for (const { name } of old.events) {
    for (const shape of shapesBelow(mounts, name)) reached.set(shape, [...(reached.get(shape) ?? []), name]);
  }
  return [...inEvents, ...added, ...inShapes].map(({ owner, ...difference }) => {
    const events = 'shape' in difference ? (reached.get(owner) ?? []) : [owner];
    if (reads === undefined) return { ...difference, events };
    const isWhole = ['event', 'version', 'key'].includes(difference.kind);
    const target = { owner, pointer: difference.pointer };
    const touched = events.map((event) => {
      const names = Object.entries(reads[event] ?? {})
        .filter(([, pointers]) => isWhole || pointers.some((each) => isRead(mounts, event, each, target)))
        .map(([handler]) => handler);
      return [event, names] as const;
    });
    return {
      ...difference,
      events,
      handlers: Object.fromEntries(touched.filter(([, names]) => names.length > 0)),
    };
  });
}

/** Yields every reference, those that are found meanwhile included. */
function* walk(mounts: ReadonlyMap<string, readonly Mount[]>): Generator<Mount> {
  // A loop over a map also visits the entries that its body adds.
  for (const found of mounts.values()) yield* found;
}

function shapesBelow(mounts: ReadonlyMap<string, readonly Mount[]>, name: string): ReadonlySet<string> {
  const below = new Set((mounts.get(name) ?? []).map(({ shape }) => shape));
  for (const shape of below) for (const mount of mounts.get(shape) ?? []) below.add(mount.shape);
  return below;
}

function missing({ type }: CatalogueEvent, { events }: ComparedCatalogue): FieldDifference {
  const kind = events.some((each) => each.type === type) ? 'version' : 'event';
  return { kind, pointer: '', change: 'removed', breaks: ['consumers', 'producers'] };
}

function differentKeys(before: CatalogueEvent, after: CatalogueEvent): FieldDifference[] {
  if (before.key === after.key) return [];
  const change = `partition key "${after.key}" instead of "${before.key}"`;
  return [{ kind: 'key', pointer: '', change, breaks: ['consumers', 'producers'] }];
}

/** Replaces the fields of an event by a reference, where they are those of a shape. */
function wholeShapes({ shapes, events }: Documents): Documents {
  const fieldsOf = (schema: JsonSchema) =>
    JSON.stringify(Object.entries(schema).filter(([keyword]) => !isAnnotation(keyword)));
  const byFields = new Map(Object.entries(shapes).map(([name, shape]) => [fieldsOf(shape), name]));
  const replaced = Object.entries(events).map(([name, event]) => {
    const shape = byFields.get(fieldsOf(event));
    return [name, shape === undefined ? event : { $ref: `#/$defs/${shape}` }] as const;
  });
  return { shapes, events: Object.fromEntries(replaced) };
}
