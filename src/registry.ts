import type { Catalogue, CatalogueEvent } from '../catalogue/index.js';
import {
  boolean,
  callback,
  checkOptions,
  listOf,
  nested,
  nonEmptyText,
  type OptionTable,
} from './base/options.js';
import type { EventKey } from './envelope/envelope.js';
import { BusbarError } from './base/errors.js';
import type { AnyEvent, Handler } from './event.js';
import { composed, type Middleware } from './middleware.js';
import { quoted } from './base/quoted.js';
import { deadlineOption } from './running/deadline.js';
import { type RetryOptions, retryOptions } from './running/retry.js';
import { type PreferLatest, supersededEvents, type Upcast, Upcasts } from './versions.js';

export interface HandlerOptions {
  /** What logs, errors and dead letters call the handler. Default: the event, or the pattern. */
  readonly name?: string;
  /** Over the consumer's, field by field. */
  readonly retry?: RetryOptions;
  /** How long an attempt may take, in milliseconds of the wall clock. Default: the consumer's. */
  readonly deadline?: number;
  /** Middleware of this handler alone, within the consumer's. */
  readonly use?: readonly Middleware[];
  /**
   * The handler is meant to run for every version of an occurrence. Default false: a handler of several versions of one
   * event type is warned of at start.
   */
  readonly everyVersion?: boolean;
}

/** {@link HandlerOptions}, as a table. */
export const handlerOptions = {
  name: { type: nonEmptyText },
  retry: { type: nested(retryOptions) },
  deadline: deadlineOption,
  use: { type: listOf(callback) },
  everyVersion: { type: boolean, default: false },
} satisfies OptionTable<HandlerOptions>;

/** One handler with what it was registered for. */
export interface Registration {
  readonly name: string;
  readonly handler: Handler<AnyEvent>;
  /** The middleware around it, the first one outermost. */
  readonly middleware: readonly Middleware[];
  readonly options: HandlerOptions;
}

/** What a consumer was told to handle. Definitions only: it becomes routes by a catalogue. */
export interface Registry {
  /** @throws BusbarError `duplicate-handler`, `invalid-option` */
  on(
    type: string,
    versions: string | readonly string[],
    handler: Handler<AnyEvent>,
    options?: HandlerOptions,
  ): void;
  /** @throws BusbarError `duplicate-handler`, `invalid-option` */
  onMatching(pattern: string, handler: Handler<AnyEvent>, options?: HandlerOptions): void;
  /** @throws BusbarError `duplicate-handler`, `invalid-option` */
  onAny(handler: Handler<AnyEvent>, options?: HandlerOptions): void;
  /** @throws BusbarError `invalid-option` */
  use(middleware: Middleware): void;
  /** @throws BusbarError `invalid-upcast` */
  upcast(step: Upcast): void;
  /**
   * What is registered now, held against the catalogue. Later registrations do not change it.
   * @throws BusbarError `unknown-event`, `unknown-version`: a handler would never be called.
   */
  routes(catalogue: Catalogue, preferLatest?: PreferLatest): Routes;
}

export interface Routes {
  /** How many handlers there are. */
  readonly size: number;
  /** What handlers there are, in the order of their definition, with their middleware around them. */
  readonly registrations: readonly Registration[];
  /** The handler of all events that no other handles. */
  readonly fallback: Registration | undefined;
  /** The events that have a handler of their own, or are made into one that has. */
  readonly exact: readonly CatalogueEvent[];
  /**
   * A handler of its own beats one that upcasts lead to, which beats pattern, which beats any; of two patterns the one
   * with more literal text, then the earlier. Undefined when nobody wants the event.
   */
  routeOf(event: CatalogueEvent): EventRoute | undefined;
}

/** What is done with an event of which there is a handler. */
export interface EventRoute {
  readonly registration: Registration;
  /** On the way to the handler, one after the other. */
  readonly steps: readonly UpcastStep[];
  /** A higher version is handled in its place. */
  readonly isSuperseded: boolean;
}

export interface UpcastStep extends Upcast {
  readonly target: CatalogueEvent;
}

export function createRegistry(): Registry {
  const exact = new Map<string, Map<string, Registration>>();
  const patterns = new Map<string, Registration>();
  const middleware: Middleware[] = [];
  const upcasts = new Upcasts();
  let any: Registration | undefined;

  return {
    on(type, versions, handler, options) {
      const list = typeof versions === 'string' ? [versions] : [...versions];
      if (list.length === 0) {
        throw new BusbarError('invalid-option', `on(${quoted(type)}, []): name at least one version.`);
      }
      const registration = registrationOf(
        list.map((version) => `${type}-${version}`).join(', '),
        handler,
        options,
      );
      const versionsOfType = exact.get(type) ?? new Map<string, Registration>();
      for (const version of list) {
        if (versionsOfType.has(version)) throw duplicate(`${quoted(type)} ${quoted(version)}`);
      }
      for (const version of list) versionsOfType.set(version, registration);
      exact.set(type, versionsOfType);
    },
    onMatching(pattern, handler, options) {
      const registration = registrationOf(pattern, handler, options);
      if (patterns.has(pattern)) throw duplicate(`the pattern ${quoted(pattern)}`);
      patterns.set(pattern, registration);
    },
    onAny(handler, options) {
      const registration = registrationOf('*', handler, options);
      if (any !== undefined) throw duplicate('any event (onAny)');
      any = registration;
    },
    use(each) {
      if (typeof each !== 'function') throw notAFunction('The middleware of the consumer', each);
      middleware.push(each);
    },
    upcast(step) {
      upcasts.add(step);
    },
    routes(catalogue, preferLatest = false) {
      const around = [...middleware];
      const complete = remembered((registration: Registration): Registration => {
        const all = [...around, ...registration.middleware];
        return { ...registration, handler: composed(all, registration.handler), middleware: all };
      });
      const own = new Map<CatalogueEvent, Registration>();
      for (const [type, versions] of exact) {
        for (const [version, registration] of versions)
          own.set(known(catalogue, { type, version }), complete(registration));
      }
      const matching = [...patterns]
        .map(([pattern, registration]) => ({
          pattern,
          matches: matcherOf(pattern),
          registration: complete(registration),
        }))
        .sort((one, other) => literals(other.pattern) - literals(one.pattern));
      for (const { pattern, matches } of matching) {
        if (!catalogue.events.some((event) => matches(event.type))) {
          throw new BusbarError(
            'unknown-event',
            `No event of the catalogue matches ${quoted(pattern)}.${suggestion(catalogue, pattern)} "*" stands for any text.`,
          );
        }
      }
      const rest = any && complete(any);
      const ways = waysToHandlers(catalogue, upcasts, own);

      const registrationOf = (event: CatalogueEvent): Registration | undefined =>
        own.get(event) ??
        ways.get(event)?.registration ??
        matching.find(({ matches }) => matches(event.type))?.registration ??
        rest;
      const superseded = supersededEvents(
        catalogue,
        preferLatest,
        (event) => registrationOf(event) !== undefined,
      );
      return {
        size: own.size + matching.length + (rest === undefined ? 0 : 1),
        registrations: [
          ...new Set([
            ...own.values(),
            ...matching.map(({ registration }) => registration),
            ...(rest ? [rest] : []),
          ]),
        ],
        fallback: rest,
        exact: [...own.keys(), ...ways.keys()],
        routeOf(event) {
          const registration = registrationOf(event);
          if (registration === undefined) return undefined;
          return {
            registration,
            steps: ways.get(event)?.steps ?? [],
            isSuperseded: superseded.has(event),
          };
        },
      };
    },
  };
}

/**
 * The catalogue's entry for a name that a developer wrote.
 * @throws BusbarError `unknown-event` with the nearest names, `unknown-version` with those that exist.
 */
export function known(catalogue: Catalogue, { type, version }: EventKey): CatalogueEvent {
  const event = catalogue.find(type, version);
  if (event !== undefined) return event;
  if (catalogue.hasType(type)) {
    const versions = catalogue.versionsOf(type).map(quoted).join(', ');
    throw new BusbarError(
      'unknown-version',
      `Event ${quoted(type)} has no version ${quoted(version)}. It has ${versions}.`,
    );
  }
  throw new BusbarError(
    'unknown-event',
    `The catalogue has no event ${quoted(type)}.${suggestion(catalogue, type)}`,
  );
}

/** For versions without a handler of their own: the shortest way to one that has. */
function waysToHandlers(
  catalogue: Catalogue,
  upcasts: Upcasts,
  own: ReadonlyMap<CatalogueEvent, Registration>,
): ReadonlyMap<
  CatalogueEvent,
  { readonly steps: readonly UpcastStep[]; readonly registration: Registration }
> {
  const ways = new Map<CatalogueEvent, { steps: readonly UpcastStep[]; registration: Registration }>();
  for (const { type, from } of upcasts.all) {
    const event = known(catalogue, { type, version: from });
    const steps = upcasts
      .wayFrom(type, from)
      .map((step) => ({ ...step, target: known(catalogue, { type, version: step.to }) }));
    const end = steps.find(({ target }) => own.has(target));
    const registration = end && own.get(end.target);
    if (own.has(event) || end === undefined || registration === undefined) continue;
    ways.set(event, { steps: steps.slice(0, steps.indexOf(end) + 1), registration });
  }
  return ways;
}

function suggestion(catalogue: Catalogue, name: string): string {
  const nearest = catalogue.nearest(name, 3);
  return nearest.length === 0 ? '' : ` Did you mean ${nearest.map(quoted).join(' or ')}?`;
}

function registrationOf(
  name: string,
  handler: Handler<AnyEvent>,
  options: HandlerOptions = {},
): Registration {
  // Callers without a compiler: a forgotten version would make the handler the version.
  if (typeof handler !== 'function') throw notAFunction(`The handler of ${quoted(name)}`, handler);
  checkOptions<HandlerOptions>(`The handler of ${quoted(name)}`, handlerOptions, options);
  return { name: options.name ?? name, handler, middleware: options.use ?? [], options };
}

function notAFunction(what: string, value: unknown): BusbarError {
  return new BusbarError('invalid-option', `${what} is not a function, but ${typeof value}.`);
}

/** One handler for several versions stays one. */
function remembered<K, T>(make: (key: K) => T): (key: K) => T {
  const made = new Map<K, T>();
  return (key) => {
    const known = made.get(key) ?? make(key);
    made.set(key, known);
    return known;
  };
}

function duplicate(what: string): BusbarError {
  return new BusbarError(
    'duplicate-handler',
    `There is a handler for ${what} already. Do both things in one handler, or make a second consumer.`,
  );
}

/** Goes through the pieces between the stars in order, so that no pattern takes more than linear time. */
export function matcherOf(pattern: string): (type: string) => boolean {
  const [head = '', ...rest] = pattern.split('*');
  const tail = rest.pop();
  if (tail === undefined) return (type) => type === pattern;
  return (type) => {
    if (!type.startsWith(head)) return false;
    let from = head.length;
    for (const piece of rest) {
      const at = type.indexOf(piece, from);
      if (at === -1) return false;
      from = at + piece.length;
    }
    return type.length - tail.length >= from && type.endsWith(tail);
  };
}

function literals(pattern: string): number {
  return pattern.replaceAll('*', '').length;
}
