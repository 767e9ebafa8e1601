import type { JsonSchema } from '../../../../catalogue/schema.js';
import { formatOf } from './formats.js';
import { isFieldName } from '../../../base/field-name.js';

type Counts = Map<string, number>;

/** Unknown names at one place. With more, the object is a map, and its names may be values. */
const maxUnknownNames = 20;

/** Places of one event. A schema may contain itself. */
const maxPlaces = 2_000;

/** The schemas of one event, and the number of its places. */
export interface Places {
  readonly definitions: Readonly<Record<string, JsonSchema>>;
  count: number;
}

/** A place in the payloads of one event, with counts of what was there. Its pointer has `*` for the items of a list. */
export class Place {
  readonly pointer: string;
  /** Schema of the place, references resolved. Undefined for a place that the event's schema does not name. */
  readonly schema: JsonSchema | undefined;
  /** Number of values. */
  count = 0;
  /** Number of values by JSON type; `integer` and `number` are two. */
  readonly types: Counts = new Map();
  readonly formats: Counts = new Map();
  readonly fields = new Map<string, Place>();
  /** Place of the items of lists. */
  items: Place | undefined;
  /** Number of objects with fields whose names are not shown. */
  unnamed = 0;
  /** Whether the names of unknown fields are the keys of a map. */
  isMap = false;
  /** Whether places below are missing, because there are too many. */
  isCut = false;
  readonly #places: Places;

  constructor(pointer: string, part: JsonSchema | undefined, places: Places) {
    this.pointer = pointer;
    this.schema = resolved(part, places.definitions);
    this.#places = places;
    places.count++;
  }

  /** Counts a value and the values in it. */
  add(value: unknown): void {
    this.count++;
    const type = typeOf(value);
    bump(this.types, type);
    if (type === 'string') bump(this.formats, formatOf(value as string));
    else if (type === 'array') this.#addItems(value as readonly unknown[]);
    else if (type === 'object') this.#addFields(value as Readonly<Record<string, unknown>>);
  }

  /** Names of the unknown fields, which are shown. */
  get unknown(): readonly (readonly [name: string, place: Place])[] {
    return this.isMap ? [] : [...this.fields].filter(([, { schema }]) => schema === undefined);
  }

  #addItems(values: readonly unknown[]): void {
    const { schema } = this;
    if (schema !== undefined && schema.items === undefined) return;
    this.items ??= this.#below('*', schema?.items);
    for (const value of values) this.items?.add(value);
  }

  #addFields(object: Readonly<Record<string, unknown>>): void {
    const { schema } = this;
    // The catalogue leaves the content of this object open.
    if (schema !== undefined && schema.properties === undefined) return;
    let hasUnnamed = false;
    for (const [name, value] of Object.entries(object)) {
      const place = this.#field(name);
      if (place === undefined) hasUnnamed = true;
      else place.add(value);
    }
    if (hasUnnamed) this.unnamed++;
  }

  #field(name: string): Place | undefined {
    const found = this.fields.get(name);
    if (found !== undefined) return this.isMap && found.schema === undefined ? undefined : found;
    const properties = this.schema?.properties;
    const part = properties && Object.hasOwn(properties, name) ? properties[name] : undefined;
    if (part === undefined) {
      if (this.isMap || !isFieldName(name)) return undefined;
      const unknown = this.unknown.length;
      this.isMap = unknown >= maxUnknownNames;
      if (this.isMap) return undefined;
    }
    const place = this.#below(name, part);
    if (place !== undefined) this.fields.set(name, place);
    return place;
  }

  #below(name: string, part: JsonSchema | undefined): Place | undefined {
    if (this.#places.count < maxPlaces) return new Place(`${this.pointer}/${name}`, part, this.#places);
    this.isCut = true;
    return undefined;
  }
}

export function bump(counts: Counts, name: string): void {
  counts.set(name, (counts.get(name) ?? 0) + 1);
}

/** Returns the places of a tree, each before those below it. */
export function* placesOf(place: Place): Generator<Place, void, void> {
  yield place;
  for (const below of place.fields.values()) yield* placesOf(below);
  if (place.items !== undefined) yield* placesOf(place.items);
}

/** Whether a schema accepts a JSON type. */
export function acceptsType({ type }: JsonSchema, seen: string): boolean {
  const accepted = [type ?? seen].flat();
  return accepted.includes(seen) || (seen === 'integer' && accepted.includes('number'));
}

export function resolved(
  part: JsonSchema | undefined,
  definitions: Places['definitions'],
): JsonSchema | undefined {
  const name = part?.$ref?.slice('#/$defs/'.length);
  return name === undefined ? part : resolved(definitions[name] ?? {}, definitions);
}

function typeOf(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  return Number.isInteger(value) ? 'integer' : typeof value;
}
