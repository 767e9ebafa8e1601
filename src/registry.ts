import type { Catalogue, CatalogueEvent } from '../catalogue/index.js';
import type { EventKey } from './envelope/envelope.js';
import { BusbarError } from './errors.js';
import type { AnyEvent, Handler } from './event.js';
import { quoted } from './quoted.js';

export interface HandlerOptions {
  /** What logs, errors and dead letters call the handler. Default: the event, or the pattern. */
  readonly name?: string;
}

/** One handler with what it was registered for. */
export interface Registration {
  readonly name: string;
  readonly handler: Handler<AnyEvent>;
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
  /**
   * What is registered now, held against the catalogue. Later registrations do not change it.
   * @throws BusbarError `unknown-event`, `unknown-version`: a handler would never be called.
   */
  routes(catalogue: Catalogue): Routes;
}

export interface Routes {
  /** How many handlers there are. */
  readonly size: number;
  /** The events that have a handler of their own. */
  readonly exact: readonly CatalogueEvent[];
  /** Exact beats pattern beats any; of two patterns the one with more literal text, then the earlier. */
  handlerOf(event: CatalogueEvent): Registration | undefined;
}

export function createRegistry(): Registry {
  const exact = new Map<string, Map<string, Registration>>();
  const patterns = new Map<string, Registration>();
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
    routes(catalogue) {
      const own = new Map<CatalogueEvent, Registration>();
      for (const [type, versions] of exact) {
        for (const [version, registration] of versions)
          own.set(known(catalogue, { type, version }), registration);
      }
      const matching = [...patterns]
        .map(([pattern, registration]) => ({ pattern, matches: matcherOf(pattern), registration }))
        .sort((one, other) => literals(other.pattern) - literals(one.pattern));
      for (const { pattern, matches } of matching) {
        if (!catalogue.events.some((event) => matches(event.type))) {
          throw new BusbarError(
            'unknown-event',
            `No event of the catalogue matches ${quoted(pattern)}.${suggestion(catalogue, pattern)} "*" stands for any text.`,
          );
        }
      }
      const rest = any;
      return {
        size: own.size + matching.length + (rest === undefined ? 0 : 1),
        exact: [...own.keys()],
        handlerOf: (event) =>
          own.get(event) ?? matching.find(({ matches }) => matches(event.type))?.registration ?? rest,
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

function suggestion(catalogue: Catalogue, name: string): string {
  const nearest = catalogue.nearest(name, 3);
  return nearest.length === 0 ? '' : ` Did you mean ${nearest.map(quoted).join(' or ')}?`;
}

function registrationOf(
  name: string,
  handler: Handler<AnyEvent>,
  options: HandlerOptions | undefined,
): Registration {
  // Callers without a compiler: a forgotten version would make the handler the version.
  if (typeof handler !== 'function') {
    throw new BusbarError(
      'invalid-option',
      `The handler of ${quoted(name)} is not a function, but ${typeof handler}.`,
    );
  }
  return { name: options?.name ?? name, handler };
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
