/** One event version. A catalogue returns the same object each time, so it can be the key of a `Map`. */
export interface CatalogueEvent {
  /** Catalogue name, `<type>-<version>`. Never split it: both parts may contain dashes and dots. */
  readonly name: string;
  readonly type: string;
  readonly version: string;
  /** Section of the business, such as `billing` or `joining-supply`. */
  readonly group: string;
  /** First segment of the type, and folder of its schema. */
  readonly domain: string;
  /**
   * Entity that the partition key identifies: a word of `keyEntities`, or of the user. Events of one entity stay in
   * order. All versions of a type have the same one.
   */
  readonly key: string;
}

/** Events by type and version, and by name. */
export interface EventIndex {
  /** Events by type and version; those of the user come last. */
  readonly events: readonly CatalogueEvent[];
  find(type: string, version: string): CatalogueEvent | undefined;
  /** Returns all versions of a type, oldest first; none for an unknown type. */
  versionsOf(type: string): readonly string[];
  hasType(type: string): boolean;
  /** Returns the event with a catalogue name such as `account.created-v1`. */
  named(name: string): CatalogueEvent | undefined;
}

/** Indexes the built-in events and those of the user, which replace built-in ones of the same name. */
export function indexEvents(
  builtIn: readonly CatalogueEvent[],
  added: readonly CatalogueEvent[] = [],
): EventIndex {
  const byName = new Map<string, CatalogueEvent>();
  for (const event of builtIn) byName.set(event.name, event);
  for (const event of added.toSorted(inOrder)) byName.set(event.name, event);

  const events = [...byName.values()];
  // Two levels: concatenating type and version into one key costs more than validating the event.
  const byType = new Map<string, Map<string, CatalogueEvent>>();
  for (const event of events) {
    const versions = byType.get(event.type);
    if (versions === undefined) byType.set(event.type, new Map([[event.version, event]]));
    else versions.set(event.version, event);
  }
  for (const { type } of added) {
    const versions = [...(byType.get(type)?.values() ?? [])].sort(inOrder);
    byType.set(type, new Map(versions.map((event) => [event.version, event])));
  }
  return {
    events,
    find: (type, version) => byType.get(type)?.get(version),
    versionsOf: (type) => [...(byType.get(type)?.keys() ?? [])],
    hasType: (type) => byType.has(type),
    named: (name) => byName.get(name),
  };
}

type EventName = Pick<CatalogueEvent, 'type' | 'version'>;

/** Orders by type, then by the numbers of the version: `v2` before `v10`. Versions without numbers keep their order. */
export function inOrder(one: EventName, other: EventName): number {
  if (one.type !== other.type) return one.type < other.type ? -1 : 1;
  const numbers = ({ version }: EventName) => (version.match(/\d+/g) ?? []).map(Number);
  const [left, right] = [numbers(one), numbers(other)];
  const place = Math.max(left.length, right.length);
  return (
    Array.from({ length: place }, (_, index) => (left[index] ?? -1) - (right[index] ?? -1)).find(Boolean) ?? 0
  );
}

/** Returns an event with its name and domain, which derive from type and version. */
export function makeEvent(type: string, version: string, group: string, key: string): CatalogueEvent {
  return Object.freeze({ name: `${type}-${version}`, type, version, group, domain: domainOf(type), key });
}

/**
 * Returns the domain of an event type, which is also its folder: the text before the first dot (`billing` for
 * `billing.final_bill`), or the first two words of a type without dots (`dunning_path` for `dunning_path_paused`).
 */
export function domainOf(type: string): string {
  return type.includes('.') ? type.slice(0, type.indexOf('.')) : type.split('_').slice(0, 2).join('_');
}
