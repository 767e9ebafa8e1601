import type { Additions } from './additions.js';
import type { Depth } from './compile-now.js';
import { BusbarError, quoted } from '../src/base/errors.js';
import { type CatalogueEvent, type EventIndex, indexEvents, makeEvent } from './event-index.js';
import { events as groups, shapes as builtInShapes } from './generated/events.js';
import { didYouMean, nearest } from '../src/base/nearest.js';
import { memoized, once, onceFor } from '../src/base/once.js';
import { type Documents, type JsonSchema, reachedShapes, standalone, withOwnFields } from './schema.js';
import type { Violation } from './violations.js';

/** Returns whether a payload is valid. Stops at the first error and allocates nothing. */
export type Validator = (payload: unknown) => boolean;

/** The events of a platform: names, schemas, validators. */
export interface Catalogue extends EventIndex {
  /** Names of the shapes. */
  readonly shapes: readonly string[];
  /** Returns the names similar to a mistyped event type or catalogue name, best first. Default limit 3. */
  nearest(name: string, limit?: number): readonly string[];
  /** Returns the schema of an event, with the shapes that it uses in `$defs`. */
  schema(event: CatalogueEvent): Promise<JsonSchema>;
  /** Returns every schema; references are `#/$defs/<Shape>`. */
  documents(): Promise<Documents>;
  /** Loads the validator of an event once, or compiles that of a user's event. */
  validator(event: CatalogueEvent): Promise<Validator>;
  /** Returns a validator that {@link Catalogue.validator} has already loaded. */
  loadedValidator(event: CatalogueEvent): Validator | undefined;
  /**
   * Returns the violations of a payload: at most 100, or only the first for a payload with more than 10,000 values.
   * `strict` includes fields that the schema does not name.
   */
  explain(
    event: CatalogueEvent,
    payload: unknown,
    options?: { strict?: boolean },
  ): Promise<readonly Violation[]>;
}

/** Returns the built-in catalogue, the same one each time. */
export function builtInCatalogue(): Catalogue {
  return (builtIn ??= openAdditions({
    events: new Map(),
    shapes: new Set(builtInShapes),
    documents: () => ({ events: {}, shapes: {} }),
    sources: new Map(),
  }));
}

let builtIn: Catalogue | undefined;

/**
 * Opens the built-in catalogue, extended by additions.
 * @param compiled The validators of events that must be compiled, if they have been.
 */
export function openAdditions(
  additions: Additions,
  compiled?: Readonly<Record<string, Validator>>,
): Catalogue {
  const added = [...additions.events.values()];
  const index = added.length === 0 ? builtInIndex() : indexEvents(builtInEvents(), added);
  const loaded = new Map<CatalogueEvent, Validator>();

  const ownEvent = (event: CatalogueEvent): CatalogueEvent => {
    const found = index.find(event.type, event.version);
    if (found !== undefined) return found;
    const advice = didYouMean(nearestEvents(index, event.name));
    throw new BusbarError('unknown-event', `This catalogue has no event "${event.name}".${advice}`);
  };
  const documents = once(() => mergeDocuments(additions));
  const schema = async (event: CatalogueEvent): Promise<JsonSchema> => {
    const { name } = ownEvent(event);
    const all = await documents();
    return standalone(name, all.events[name] ?? {}, all.shapes);
  };
  const checksOf = memoized((depth: Depth) =>
    onceFor(async (event: CatalogueEvent) => {
      // Loads ajv, which consumers of built-in, valid events do not need.
      const { compileNow } = await import('./compile-now.js');
      return compileNow(event.name, await schema(event), depth);
    }),
  );
  const loadValidator = onceFor(async (event: CatalogueEvent): Promise<Validator> => {
    const stored = compiled?.[event.name];
    const isOwn =
      stored !== undefined || (compiled === undefined && (await mustCompile(event.name, additions)));
    const validator = isOwn
      ? guarded(stored ?? (await checksOf('first')(event)))
      : (await builtInValidators())[event.name];
    if (validator === undefined) throw new Error(`"${event.name}" has no validator. Run: npm run generate`);
    loaded.set(event, validator);
    return validator;
  });

  const catalogue: Catalogue = {
    ...index,
    shapes: [...additions.shapes],
    nearest: (name, limit) => nearestEvents(index, name, limit),
    schema,
    documents,
    validator: async (event) => await loadValidator(ownEvent(event)),
    loadedValidator: (event) => loaded.get(event),
    async explain(event, payload, { strict = false } = {}) {
      const { isLarge, violationsOf, whyUnexplained } = await import('./violations.js');
      const amount = isLarge(payload) ? 'first' : 'all';
      const check = checksOf(strict ? `strict-${amount}` : amount)(ownEvent(event));
      return check.then((found) => violationsOf(found, payload), whyUnexplained);
    },
  };
  return catalogue;
}

/** Returns the index of the built-in events, which all catalogues without other events share. */
export function builtInIndex(): EventIndex {
  return (sharedIndex ??= indexEvents(builtInEvents()));
}

let sharedIndex: EventIndex | undefined;

/** Returns the built-in events, which all catalogues share. */
function builtInEvents(): readonly CatalogueEvent[] {
  let parts: string[] = [];
  return (sharedEvents ??= groups.flatMap(([group, names, key = 'account']) =>
    names.split('\n').map((name) => {
      const [type = '', version = 'v1'] = name.split(' ');
      parts = type.split('.').map((part, at) => part || (parts[at] ?? ''));
      return makeEvent(parts.join('.'), version, group, key);
    }),
  ));
}

let sharedEvents: readonly CatalogueEvent[] | undefined;

async function mergeDocuments(additions: Additions): Promise<Documents> {
  const builtIn = await import('#generated/schemas.js');
  const own = additions.documents();
  const shapes = { ...builtIn.shapes, ...own.shapes };
  const events: Record<string, JsonSchema> = { ...builtIn.events, ...own.events };
  for (const [name, document] of Object.entries(events)) events[name] = withOwnFields(document, shapes);
  return { shapes, events };
}

/** Whether the event is one of the user's, or uses a shape that the user replaced. */
export async function mustCompile(name: string, { events, documents }: Additions): Promise<boolean> {
  if (events.has(name)) return true;
  const { shapes } = documents();
  if (!builtInShapes.some((shape) => shape in shapes)) return false;
  const builtIn = await import('#generated/schemas.js');
  const reached = reachedShapes(builtIn.events[name] ?? {}, builtIn.shapes);
  return reached.some((shape) => shape in shapes);
}

/** Loads the built-in validators once for all catalogues: module hooks would make repeated imports slow. */
const builtInValidators = once(async () => (await import('#generated/validators.js')).validators);

/** Makes a payload invalid if it is too deep for a recursive schema of the user, instead of throwing. */
function guarded(check: Validator): Validator {
  return (payload) => {
    try {
      return check(payload);
    } catch (error) {
      if (error instanceof RangeError) return false;
      throw error;
    }
  };
}

/**
 * Returns an event version.
 * @throws BusbarError `unknown-event` with the nearest types, `unknown-version` with the versions of the event type
 */
export function requireEvent(
  catalogue: Catalogue,
  { type, version }: { readonly type: string; readonly version: string },
): CatalogueEvent {
  const event = catalogue.find(type, version);
  if (event !== undefined) return event;
  if (catalogue.hasType(type)) {
    const versions = catalogue.versionsOf(type).map(quoted).join(', ');
    throw new BusbarError(
      'unknown-version',
      `Event ${quoted(type)} has no version ${quoted(version)}. It has ${versions}.`,
    );
  }
  const types = catalogue.nearest(type).map((name) => catalogue.named(name)?.type ?? name);
  const hint = didYouMean(types) || ' Pass a catalogue with your own events as "catalogue".';
  throw new BusbarError('unknown-event', `The catalogue has no event ${quoted(type)}.${hint}`);
}

/** Returns the nearest names, for each event type either the type or catalogue names, whichever is nearer. */
function nearestEvents(index: EventIndex, name: string, limit = 3): readonly string[] {
  const typeOf = new Map(
    index.events.flatMap((event) => [[event.type, event.type] as const, [event.name, event.type] as const]),
  );
  const forms = new Map<string | undefined, boolean>();
  return nearest(name, [...typeOf.keys()], limit * 4)
    .filter((candidate) => {
      const type = typeOf.get(candidate);
      const isType = candidate === type;
      if (!forms.has(type)) forms.set(type, isType);
      return forms.get(type) === isType;
    })
    .slice(0, limit);
}
