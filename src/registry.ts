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
import { BusbarError, quoted } from './base/errors.js';
import type { AnyEvent, Handler } from './event.js';
import { compose, type Middleware } from './middleware.js';
import { checkMarks } from './idempotency/idempotent.js';
import { requireEvent } from '../catalogue/catalogue.js';
import { didYouMean } from './base/nearest.js';
import { matcherOf } from './base/matcher.js';
import { memoized } from './base/once.js';
import { deadlineOption, type RetryOptions, retryOptions } from './running/retry.js';
import { type PreferLatest, supersededEvents, type Upcast, Upcasts } from './versions.js';

/** Options of one handler. */
export interface HandlerOptions {
  /** Name of the handler in logs, errors and dead letters. Default: the event, or the pattern. */
  readonly name?: string;
  /** Retry options. Absent fields have the consumer's values. */
  readonly retry?: RetryOptions;
  /** Maximum duration of an attempt, in milliseconds of the wall clock. Default: the consumer's. */
  readonly deadline?: number;
  /** Middleware of this handler only, inside the consumer's. */
  readonly use?: readonly Middleware[];
  /**
   * Whether the handler deliberately runs for every version of an occurrence. Default false: the consumer warns at
   * start when the handler receives several versions of one event type.
   */
  readonly everyVersion?: boolean;
}

/** Option table of {@link HandlerOptions}. */
const handlerOptions = {
  name: { type: nonEmptyText },
  retry: { type: nested(retryOptions) },
  deadline: deadlineOption,
  use: { type: listOf(callback) },
  everyVersion: { type: boolean, default: false },
} satisfies OptionTable<HandlerOptions>;

/** A registered handler with its name, middleware and options. */
export interface Registration {
  readonly name: string;
  readonly handler: Handler<AnyEvent>;
  /** Middleware around the handler, the first one outermost. */
  readonly middleware: readonly Middleware[];
  readonly options: HandlerOptions;
}

export interface Routes {
  /** Handlers in the order of their definition, wrapped in their middleware. */
  readonly registrations: readonly Registration[];
  /** Handler of all events that no other handler receives. */
  readonly fallback: Registration | undefined;
  /** Events that have a handler of their own, or are upcast to one that has. */
  readonly exact: readonly CatalogueEvent[];
  /**
   * The route of each event that a handler receives, in the order of the catalogue. An own handler takes precedence over
   * upcasts, upcasts over patterns, patterns over `onAny`; of two patterns the one with more literal text, then the earlier.
   */
  readonly handled: ReadonlyMap<CatalogueEvent, EventRoute>;
}

/** The handler of an event, and the upcasts before it. */
export interface EventRoute {
  readonly registration: Registration;
  /** Upcasts before the handler, in order. */
  readonly steps: readonly UpcastStep[];
  /** Whether a higher version is handled instead. */
  readonly isSuperseded: boolean;
}

export interface UpcastStep extends Upcast {
  readonly target: CatalogueEvent;
}

/** The definitions of a consumer, from which a catalogue makes routes. The methods throw like those of `Definitions`. */
export class Registry {
  readonly #exact = new Map<string, Map<string, Registration>>();
  readonly #patterns = new Map<string, Registration>();
  readonly #middleware: Middleware[] = [];
  readonly #upcasts = new Upcasts();
  #any: Registration | undefined;

  on(type: string, versions: readonly string[], handler: Handler<AnyEvent>, options?: HandlerOptions): void {
    if (versions.length === 0) {
      throw new BusbarError('invalid-option', `on(${quoted(type)}, []): no version. Name at least one.`);
    }
    const registration = registrationOf(
      versions.map((version) => `${type}-${version}`).join(', '),
      handler,
      options,
    );
    const versionsOfType = this.#exact.get(type) ?? new Map<string, Registration>();
    for (const version of versions) {
      if (versionsOfType.has(version)) throw duplicate(`${quoted(type)} ${quoted(version)}`);
    }
    for (const version of versions) versionsOfType.set(version, registration);
    this.#exact.set(type, versionsOfType);
  }

  onMatching(pattern: string, handler: Handler<AnyEvent>, options?: HandlerOptions): void {
    const registration = registrationOf(pattern, handler, options);
    if (this.#patterns.has(pattern)) throw duplicate(`the pattern ${quoted(pattern)}`);
    this.#patterns.set(pattern, registration);
  }

  onAny(handler: Handler<AnyEvent>, options?: HandlerOptions): void {
    const registration = registrationOf('*', handler, options);
    if (this.#any !== undefined) throw duplicate('any event (onAny)');
    this.#any = registration;
  }

  use(each: Middleware): void {
    if (typeof each !== 'function') throw notAFunction('The middleware of the consumer', each);
    this.#middleware.push(each);
  }

  upcast(step: Upcast): void {
    const { type, from, to, convert } = step;
    if (typeof convert !== 'function')
      throw notAFunction(`The upcast of ${quoted(type)} from ${quoted(from)} to ${quoted(to)}`, convert);
    this.#upcasts.add(step);
  }

  /**
   * Returns the routes of the current registrations. Later registrations do not change them.
   * @throws BusbarError `unknown-event`, `unknown-version`: a handler would never be called. `invalid-option`: a mark of
   * `idempotent` would be set too early.
   */
  routes(catalogue: Catalogue, preferLatest: PreferLatest): Routes {
    const around = [...this.#middleware];
    // One object for a handler of several versions.
    const complete = memoized((registration: Registration): Registration => {
      const all = [...around, ...registration.middleware];
      checkMarks(all, registration.name);
      return { ...registration, handler: compose(all, registration.handler), middleware: all };
    });
    const own = new Map<CatalogueEvent, Registration>();
    for (const [type, versions] of this.#exact) {
      for (const [version, registration] of versions)
        own.set(requireEvent(catalogue, { type, version }), complete(registration));
    }
    const matching = [...this.#patterns]
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
          `No event of the catalogue matches ${quoted(pattern)}.${didYouMean(catalogue.nearest(pattern))} "*" matches any text.`,
        );
      }
    }
    const rest = this.#any && complete(this.#any);
    const upcasts = upcastPaths(catalogue, this.#upcasts, own);

    const registrationOf = (event: CatalogueEvent): Registration | undefined =>
      own.get(event) ??
      upcasts.get(event)?.registration ??
      matching.find(({ matches }) => matches(event.type))?.registration ??
      rest;
    const registered = new Map<CatalogueEvent, Registration>();
    for (const event of catalogue.events) {
      const registration = registrationOf(event);
      if (registration !== undefined) registered.set(event, registration);
    }
    const superseded = supersededEvents(catalogue, preferLatest, (event) => registered.has(event));
    const handled = new Map<CatalogueEvent, EventRoute>();
    for (const [event, registration] of registered) {
      const { steps = [] } = upcasts.get(event) ?? {};
      handled.set(event, { registration, steps, isSuperseded: superseded.has(event) });
    }
    return {
      registrations: [
        ...new Set([
          ...own.values(),
          ...matching.map(({ registration }) => registration),
          ...(rest ? [rest] : []),
        ]),
      ],
      fallback: rest,
      exact: [...own.keys(), ...upcasts.keys()],
      handled,
    };
  }
}

/** Returns the shortest path from each version without a handler to a version that has one. */
function upcastPaths(
  catalogue: Catalogue,
  upcasts: Upcasts,
  own: ReadonlyMap<CatalogueEvent, Registration>,
): ReadonlyMap<
  CatalogueEvent,
  { readonly steps: readonly UpcastStep[]; readonly registration: Registration }
> {
  const paths = new Map<CatalogueEvent, { steps: readonly UpcastStep[]; registration: Registration }>();
  for (const { type, from } of upcasts.all) {
    const event = requireEvent(catalogue, { type, version: from });
    const steps = upcasts
      .pathFrom(type, from)
      .map((step) => ({ ...step, target: requireEvent(catalogue, { type, version: step.to }) }));
    const end = steps.find(({ target }) => own.has(target));
    const registration = end && own.get(end.target);
    if (own.has(event) || end === undefined || registration === undefined) continue;
    paths.set(event, { steps: steps.slice(0, steps.indexOf(end) + 1), registration });
  }
  return paths;
}

function registrationOf(
  name: string,
  handler: Handler<AnyEvent>,
  options: HandlerOptions = {},
): Registration {
  if (typeof handler !== 'function') throw notAFunction(`The handler of ${quoted(name)}`, handler);
  checkOptions<HandlerOptions>(`The handler of ${quoted(name)}`, handlerOptions, options);
  return { name: options.name ?? name, handler, middleware: options.use ?? [], options };
}

function notAFunction(what: string, value: unknown): BusbarError {
  return new BusbarError(
    'invalid-option',
    `${what} is not a function, but ${typeof value}. Pass a function.`,
  );
}

function duplicate(what: string): BusbarError {
  return new BusbarError(
    'duplicate-handler',
    `A handler for ${what} already exists. Do both things in one handler, or create a second consumer.`,
  );
}

function literals(pattern: string): number {
  return pattern.replaceAll('*', '').length;
}
