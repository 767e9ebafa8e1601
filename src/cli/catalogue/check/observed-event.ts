import type { Catalogue, CatalogueEvent, JsonSchema, Validator } from '../../../../catalogue/index.js';
import { keyFields } from '../../../../catalogue/key-entities.js';
import { namedFields } from '../../../../catalogue/schema.js';
import { onlyKnownFields } from '../../../known-fields.js';
import { shownPointer } from './names.js';
import { acceptsType, bump, Place, placesOf, resolved } from './place.js';

/** Differences between the records of one event and its schema. */
type Difference = 'missing' | 'extra' | 'retyped' | 'null' | 'invalid';

/** A difference at a place. */
export interface Finding {
  readonly kind: Difference;
  /** JSON pointer with `*` for the items of a list. */
  readonly pointer: string;
  readonly count: number;
  /** The types, or the rule that is broken. */
  readonly what?: string;
}

/** Valid payloads of an event that are examined from the first on, and the share of later ones. */
const examinedFirst = 200;
const examinedOf = 256;

/** Pointers and rules of an event that only ajv finds. */
const maxRules = 200;

/** The records of one event version, or of one unknown event. */
export class ObservedEvent {
  readonly name: string;
  readonly event: CatalogueEvent | undefined;
  /** Schema with the shapes that it uses in `$defs`. */
  readonly document: JsonSchema;
  /** Fields that the schema names at the top. */
  readonly named: ReadonlySet<string>;
  /** Paths of the fields that identify the entity of the partition key. */
  readonly keyPaths: readonly (readonly string[])[];
  readonly root: Place;
  /** Places of the invalid payloads of a schema with keywords that places do not know. */
  readonly invalidRoot: Place | undefined;
  records = 0;
  /** Number of records with payloads that break the schema; unknown fields are allowed. */
  invalid = 0;
  /** Number of keys that equal the identifier in the payload, and of those that do not. */
  readonly keys = { equal: 0, different: 0 };
  readonly #catalogue: Catalogue;
  /** Whether a payload matches the schema; unknown fields are allowed. */
  readonly #isValid: Validator;
  /** Whether a valid payload has no unknown fields. */
  readonly #isClosed: Validator;
  readonly #rules = new Map<string, number>();

  /** Observes an event that the catalogue does not have. {@link ObservedEvent.of} observes the others. */
  constructor(
    catalogue: Catalogue,
    name: string,
    event?: CatalogueEvent,
    document: JsonSchema = {},
    isValid: Validator = () => true,
    isClosed: Validator = () => false,
  ) {
    const definitions = document.$defs ?? {};
    this.name = name;
    this.event = event;
    this.document = document;
    this.named = namedFields(document);
    this.keyPaths = event === undefined ? [] : keyPaths(document, keyFields(event.key));
    this.root = new Place('', event && document, { definitions, count: 0 });
    if (event !== undefined && !isPlain(document))
      this.invalidRoot = new Place('', undefined, { definitions, count: 0 });
    this.#catalogue = catalogue;
    this.#isValid = isValid;
    this.#isClosed = isClosed;
  }

  static async of(catalogue: Catalogue, event: CatalogueEvent): Promise<ObservedEvent> {
    const document = await catalogue.schema(event);
    const isValid = await catalogue.validator(event);
    const { compileNow } = await import('../../../../catalogue/compile-now.js');
    const isClosed = isPlain(document)
      ? onlyKnownFields(document)
      : compileNow(event.name, document, 'strict-first');
    return new ObservedEvent(catalogue, event.name, event, document, isValid, isClosed);
  }

  /** Counts a record. Returns a promise only when ajv must explain an invalid payload. */
  add(payload: unknown): void | Promise<void> {
    this.records++;
    const { event, root, invalidRoot } = this;
    const isValid = this.#isValid(payload);
    if (isValid && this.#isClosed(payload)) {
      if (this.records <= examinedFirst || this.records % examinedOf === 0) root.add(payload);
      return undefined;
    }
    root.add(payload);
    if (!isValid) {
      this.invalid++;
      invalidRoot?.add(payload);
    }
    return event && invalidRoot && this.#explain(event, payload);
  }

  /** Returns the differences to the schema, by place. */
  findings(): Finding[] {
    if (this.event === undefined) return [];
    if (this.invalidRoot !== undefined) {
      return [...this.#rules].map(([found, count]) => {
        const [kind = '', pointer = '', what = ''] = found.split(' ');
        return { kind: kind as Difference, pointer, count, ...(what !== '' && { what }) };
      });
    }
    return [...placesOf(this.root)].flatMap((place) => [...differencesAt(place)]);
  }

  /** Returns the optional fields, with the examined objects that have them. */
  optional(): { readonly pointer: string; readonly seen: number; readonly of: number }[] {
    return [...placesOf(this.root)].flatMap((place) => {
      const { properties = {}, required = [] } = place.schema ?? {};
      const names = Object.keys(properties).filter((name) => !required.includes(name));
      const of = place.types.get('object') ?? 0;
      return names.map((name) => {
        return { pointer: `${place.pointer}/${name}`, seen: place.fields.get(name)?.count ?? 0, of };
      });
    });
  }

  /** Returns the formats of texts, by field. */
  formats(): { readonly pointer: string; readonly formats: Readonly<Record<string, number>> }[] {
    const texts = [...placesOf(this.root)].filter(({ formats }) => formats.size > 0);
    return texts.map(({ pointer, formats }) => ({ pointer, formats: Object.fromEntries(formats) }));
  }

  async #explain(event: CatalogueEvent, payload: unknown): Promise<void> {
    const violations = await this.#catalogue.explain(event, payload, { strict: true });
    for (const { pointer, rule } of violations) {
      const kind = kindsByRule[rule] ?? 'invalid';
      const found = `${kind} ${shownPointer(pointer)}${kind === 'invalid' ? ` ${rule}` : ''}`;
      if (this.#rules.size < maxRules || this.#rules.has(found)) bump(this.#rules, found);
    }
  }
}

/**
 * Returns the paths of fields outside of lists, such as `account_number` and `account.number`: the outermost first, then in
 * the order of the fields.
 */
function keyPaths(document: JsonSchema, fields: readonly string[]): readonly (readonly string[])[] {
  const found: { readonly path: readonly string[]; readonly rank: number }[] = [];
  const follow = (part: JsonSchema, path: readonly string[]) => {
    if (path.length === maxKeyDepth) return;
    for (const [name, each] of Object.entries(resolved(part, document.$defs ?? {})?.properties ?? {})) {
      const below = [...path, name];
      const rank = fields.findIndex((field) => field === name || field === below.slice(-2).join('_'));
      if (rank >= 0) found.push({ path: below, rank });
      follow(each, below);
    }
  };
  follow(document, []);
  return found
    .sort((one, other) => one.path.length - other.path.length || one.rank - other.rank)
    .map(({ path }) => path);
}

/** A shape may contain itself. */
const maxKeyDepth = 4;

const kindsByRule: Readonly<Record<string, Difference>> = {
  required: 'missing',
  additionalProperties: 'extra',
  type: 'retyped',
};

function* differencesAt(place: Place): Generator<Finding, void, void> {
  const { pointer, schema, types, fields } = place;
  if (schema === undefined) return;
  const objects = types.get('object') ?? 0;
  for (const [type, count] of types) {
    if (acceptsType(schema, type)) continue;
    const kind = type === 'null' ? 'null' : 'retyped';
    yield { kind, pointer, count, what: `${type}, not ${[schema.type].flat().join(' or ')}` };
  }
  if (objects === 0 || schema.properties === undefined) return;
  for (const name of schema.required ?? []) {
    const count = objects - (fields.get(name)?.count ?? 0);
    if (count > 0) yield { kind: 'missing', pointer: `${pointer}/${name}`, count };
  }
  for (const [name, { count }] of place.unknown)
    yield { kind: 'extra', pointer: `${pointer}/${name}`, count };
  if (place.unnamed > 0) yield { kind: 'extra', pointer: `${pointer}/?`, count: place.unnamed };
}

/** Keywords that places know, next to annotations. */
const validating =
  /^(?:allOf|anyOf|oneOf|not|if|then|else|enum|const|pattern|format|prefixItems|contains|propertyNames|dependent.*|unevaluated.*|additional.*|patternProperties|(?:min|max|multiple|exclusive|unique).*)$/;

/** Whether properties, required fields, items, types and references say all that a schema demands. */
function isPlain(schema: unknown): boolean {
  if (typeof schema !== 'object' || schema === null) return typeof schema !== 'boolean';
  if (Array.isArray(schema)) return false;
  const { properties = {}, $defs = {}, items, ...rest } = schema as JsonSchema;
  const parts = [...Object.values(properties), ...Object.values($defs), ...(items ? [items] : [])];
  return !Object.keys(rest).some((keyword) => validating.test(keyword)) && parts.every(isPlain);
}
