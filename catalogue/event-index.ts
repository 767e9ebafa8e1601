/** One event version. A catalogue answers with the same object each time, so it can be the key of a `Map`. */
export interface CatalogueEvent {
  /** `<type>-<version>`; to be shown, never to be split: both parts may contain dashes and dots. */
  readonly name: string;
  readonly type: string;
  readonly version: string;
  /** The section of the business, such as `billing` or `joining-supply`. */
  readonly group: string;
  /** The first part of the type, which is also the folder of its schema. */
  readonly domain: string;
  /**
   * What the partition key names: events about the same one stay in order. A word of `keyEntities`, or of the user.
   * All versions of a type have the same.
   */
  readonly key: string;
  /** One sentence on what happened. */
  readonly description: string;
}

/** Events by type and version, and by name. */
export interface EventIndex {
  /** By type and version; events added by the user come last. */
  readonly events: readonly CatalogueEvent[];
  find(type: string, version: string): CatalogueEvent | undefined;
  /** All versions of a type, oldest first; none when there is no such type. */
  versionsOf(type: string): readonly string[];
  hasType(type: string): boolean;
  /** The event with a catalogue name such as `account.created-v1`. */
  named(name: string): CatalogueEvent | undefined;
}

/** Indexes the built-in events and those of the user, which take the place of a built-in one of the same name. */
export function indexEvents(
  builtIn: readonly CatalogueEvent[],
  added: readonly CatalogueEvent[] = [],
): EventIndex {
  const byName = new Map<string, CatalogueEvent>();
  for (const event of builtIn) byName.set(event.name, event);
  for (const event of added) byName.set(event.name, event);

  const events = [...byName.values()];
  // Two levels: to join type and version into one key costs more than to validate the event.
  const byType = new Map<string, Map<string, CatalogueEvent>>();
  for (const event of events) {
    const versions = byType.get(event.type);
    if (versions === undefined) byType.set(event.type, new Map([[event.version, event]]));
    else versions.set(event.version, event);
  }
  return {
    events,
    find: (type, version) => byType.get(type)?.get(version),
    versionsOf: (type) => [...(byType.get(type)?.keys() ?? [])],
    hasType: (type) => byType.has(type),
    named: (name) => byName.get(name),
  };
}

/** One event, with its name and domain, which follow from type and version. */
export function makeEvent(
  type: string,
  version: string,
  group: string,
  key: string,
  description: string,
): CatalogueEvent {
  return Object.freeze({
    name: `${type}-${version}`,
    type,
    version,
    group,
    domain: domainOf(type),
    key,
    description,
  });
}

/**
 * The part of the business an event type belongs to, which is also its folder: what stands before the first dot
 * (`billing.final_bill` is `billing`), or the first two words of a type without dots (`dunning_path_paused` is
 * `dunning_path`).
 */
export function domainOf(type: string): string {
  return type.includes('.') ? type.slice(0, type.indexOf('.')) : type.split('_').slice(0, 2).join('_');
}
