import type { BuiltInEvents } from './generated/types.js';

export type { CatalogueEvent, EventIndex } from './event-index.js';
export type * from './generated/types.js';
/** Types of the platform's REST API, such as `platformApi.Product`. */
export type * as platformApi from './generated/platform-api.js';
export { loadCatalogue, type LoadOptions } from './sources/load.js';
export { keyEntities, type KeyEntity } from './key-entities.js';
export { type Catalogue, requireEvent, type Validator } from './catalogue.js';
export { type CatalogueOptions, openCatalogue } from './open.js';
export type { Documents, JsonSchema } from './schema.js';
export type { Violation } from './violations.js';

/**
 * The payload type of every event, by event type and version. Declare your own events, or further versions of a built-in
 * event type, by extending it:
 *
 * @example
 * declare module 'busbar/catalogue' {
 *   interface EventCatalogue {
 *     'tariff.changed': { v1: { tariff_code: string } };
 *   }
 * }
 */
// eslint-disable-next-line @typescript-eslint/no-empty-object-type -- only an interface can be added to
export interface EventCatalogue extends UnreplacedEvents {}

/** The built-in event types whose payloads you replace in {@link EventCatalogue}: `{ 'business.created': true }`. */
// eslint-disable-next-line @typescript-eslint/no-empty-object-type -- only an interface can be added to
export interface ReplacedEvents {}

type UnreplacedEvents = {
  [T in keyof BuiltInEvents as Exclude<T, keyof ReplacedEvents>]: BuiltInEvents[T];
};

/** The name of an event type, such as `account.created`. */
export type EventType = keyof EventCatalogue;

/** The versions of an event type. */
export type VersionOf<T extends EventType> = keyof EventCatalogue[T] & string;

/** The payload of one event version. */
export type PayloadOf<T extends EventType, V extends VersionOf<T>> = EventCatalogue[T][V];

/** The catalogue name of an event, `<type>-<version>`. */
export type EventName = { [T in EventType]: `${T}-${VersionOf<T>}` }[EventType];
