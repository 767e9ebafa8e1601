import {
  type Catalogue,
  type EventCatalogue,
  type EventType,
  openCatalogue,
  type PayloadOf,
} from '../catalogue/index.js';
import {
  boolean,
  callback,
  catalogueObject,
  checkOptions,
  either,
  listOf,
  loggerObject,
  nested,
  nonEmptyText,
  objectWith,
  type OptionTable,
  whole,
  withDefaults,
} from './base/options.js';
import { createDispatcher, type Dispatcher } from './dispatch.js';
import { type EnvelopeChoice, envelopeOf } from './envelope/by-topic.js';
import type { EventKey } from './envelope/envelope.js';
import { BusbarError } from './base/errors.js';
import type { AnyEvent, EventOf, Handler } from './event.js';
import { type Logger, stderrLogger } from './base/logger.js';
import type { Middleware } from './middleware.js';
import { type Policies, policyOptions, resolvePolicies } from './policies.js';
import { createRegistry, type HandlerOptions, known, type Registry, type Routes } from './registry.js';
import { type Drift, observerOf } from './running/observer.js';
import { handlingOptions, type HandlingOptions, type RunOptions, runOptions } from './running/run-options.js';
import { type RunningConsumer, startRun } from './running/run.js';
import type { ConsumerRecord, Transport } from './transports/transport.js';
import { tellRoutes } from './tell-routes.js';
import type { Verdict } from './verdict.js';
import { warnOfVersions } from './warn-of-versions.js';
import type { Convert, PreferLatest } from './versions.js';

export interface ConsumerOptions extends HandlingOptions {
  /** What contexts, dead letters and metrics call it. Default: the transport's group, else `consumer`. */
  readonly name?: string;
  /** What events there are. Default: the built-in catalogue. */
  readonly catalogue?: Catalogue;
  /** What is done with records that no handler gets. */
  readonly policies?: Policies;
  /** The wire format, or one for each topic. Default `busbarEnvelope()`. */
  readonly envelope?: EnvelopeChoice;
  /** Handles of each event only the highest version that is handled and published. Default false. */
  readonly preferLatest?: PreferLatest;
  /** Default: warnings and errors on standard error. */
  readonly logger?: Logger;
  /** Fields that the schema does not name make an event invalid. Default false: the platform may add fields. */
  readonly strict?: boolean;
  /** A record with a longer value is undecodable. In bytes; default 16 MiB. */
  readonly maxRecordBytes?: number;
}

/** {@link ConsumerOptions}, as a table. */
export const consumerOptions = {
  ...handlingOptions,
  name: { type: nonEmptyText },
  catalogue: { type: catalogueObject },
  policies: { type: nested(policyOptions), default: {} },
  envelope: { type: either(callback, objectWith('an envelope, or an object with one for each topic')) },
  preferLatest: {
    type: either(
      boolean,
      nested<Exclude<PreferLatest, boolean>>({
        published: { type: either(catalogueObject, listOf(nonEmptyText)), isRequired: true },
      }),
    ),
  },
  logger: { type: loggerObject, default: stderrLogger },
  strict: { type: boolean, default: false },
  maxRecordBytes: { type: whole({ from: 1 }), default: 16 * 1024 * 1024, unit: 'bytes' },
} satisfies OptionTable<ConsumerOptions>;

/** Which handler gets which event. Holds definitions only: `run` makes a running consumer, as often as wanted. */
export interface Consumer extends Definitions {
  /**
   * Connects and handles what arrives until the source ends or it is stopped.
   * @throws BusbarError `no-handlers`, `no-dead-letters`, `invalid-option`, `connection-failed`
   */
  run(transport: Transport, options?: RunOptions): Promise<RunningConsumer>;
  /**
   * What is to be done with a record; nothing is done. Where dead letters are the default policy, the verdict says so.
   * Synchronous when the event's validator is loaded and finds nothing wrong.
   */
  dispatch(record: ConsumerRecord): Verdict | Promise<Verdict>;
}

/** How handlers are defined. */
export interface Definitions {
  /**
   * Handles one event in one or several versions; `event.version` narrows the payload.
   * @throws BusbarError `unknown-event`, `unknown-version`, `duplicate-handler`, `invalid-option`
   * @example
   * on('billing.billing_document.issued', ['v1', 'v2'], (event) => {
   *   if (event.version === 'v2') archive(event.payload.billing_document_uuid);
   * });
   */
  readonly on: <T extends EventType, V extends keyof EventCatalogue[T] & string>(
    type: T,
    versions: V | readonly V[],
    handler: Handler<EventOf<T, V>>,
    options?: HandlerOptions,
  ) => void;
  /**
   * Handles every event whose type matches, where no handler of its own does; `*` stands for any text, dots included.
   * @throws BusbarError `duplicate-handler`, `invalid-option`; `run` throws `unknown-event` when nothing matches
   */
  readonly onMatching: (pattern: string, handler: Handler<AnyEvent>, options?: HandlerOptions) => void;
  /**
   * Handles every event that no other handler does.
   * @throws BusbarError `duplicate-handler`, `invalid-option`
   */
  readonly onAny: (handler: Handler<AnyEvent>, options?: HandlerOptions) => void;
  /**
   * Puts middleware around every handler of the consumer, those defined earlier too; the first one is outermost.
   * @throws BusbarError `invalid-option`
   */
  readonly use: (middleware: Middleware) => void;
  /**
   * Makes a later version of an earlier one, for versions without a handler of their own; steps follow one another up
   * to a version that has one. The result is held against the schema of its version.
   * @throws BusbarError `unknown-event`, `unknown-version`, `invalid-upcast`
   * @example
   * upcast('agreement.updated', 'v1', 'v2', (payload) => ({ ...payload, account_number: 'unknown' }));
   */
  readonly upcast: <
    T extends EventType,
    F extends keyof EventCatalogue[T] & string,
    V extends keyof EventCatalogue[T] & string,
  >(
    type: T,
    from: F,
    to: V,
    convert: (payload: PayloadOf<T, F>, event: EventOf<T, F>) => PayloadOf<T, V>,
  ) => void;
}

/** A consumer of its own, beside the default one behind `on` and `run`. */
export function createConsumer(options: ConsumerOptions = {}): Consumer {
  checkOptions<ConsumerOptions>('createConsumer()', consumerOptions, options);
  const registry = createRegistry();
  const catalogue = options.catalogue ?? openCatalogue();
  const settings = { ...options, catalogue };
  let direct: Dispatcher | undefined;

  const definitions = definitionsOf(registry, (defined) => {
    // With the catalogue at hand a wrong name is told where it was written; `run` would tell it later.
    for (const key of defined) known(catalogue, key);
    direct = undefined;
  });
  return {
    ...definitions,
    async run(transport, options = {}) {
      checkOptions<RunOptions>('run()', runOptions, options);
      return runRegistry(registry, transport, { ...settings, ...options });
    },
    dispatch: (record) =>
      (direct ??= dispatcherOf(routesOf(registry, settings), settings, true)).dispatch(record),
  };
}

/** The typed face of a registry. `check` is called before each registration, with the events that it names. */
export function definitionsOf(
  registry: Registry,
  check: (defined: readonly EventKey[]) => void,
): Definitions {
  return {
    on(type, versions, handler, options) {
      const list: readonly string[] = typeof versions === 'string' ? [versions] : versions;
      check(list.map((version) => ({ type, version })));
      registry.on(type, list, handler as Handler<AnyEvent>, options);
    },
    onMatching(pattern, handler, options) {
      check([]);
      registry.onMatching(pattern, handler, options);
    },
    onAny(handler, options) {
      check([]);
      registry.onAny(handler, options);
    },
    use(middleware) {
      check([]);
      registry.use(middleware);
    },
    upcast(type, from, to, convert) {
      check([
        { type, version: from },
        { type, version: to },
      ]);
      registry.upcast({ type, from, to, convert: convert as Convert });
    },
  };
}

const aTransport = objectWith('made by kafka(), websocket() or memory()', 'open');

/** Makes a running consumer of what is registered now. */
export async function runRegistry(
  registry: Registry,
  transport: Transport,
  options: ConsumerOptions & RunOptions,
): Promise<RunningConsumer> {
  checkOptions('run()', { transport: { type: aTransport, isRequired: true } }, { transport });
  const settings = { ...options, catalogue: options.catalogue ?? openCatalogue() };
  const routes = routesOf(registry, settings);
  const { logger = stderrLogger } = options;
  const observer = observerOf(options.observer, logger);
  const dispatcher = dispatcherOf(routes, settings, transport.capabilities.deadLetters, observer.drifted);
  await dispatcher.prepare();
  tellRoutes(routes, settings.catalogue, logger);
  warnOfVersions(routes, settings.catalogue, logger);
  return startRun(dispatcher, transport, { ...settings, observer });
}

type Settings = ConsumerOptions & { readonly catalogue: Catalogue };

function routesOf(registry: Registry, { catalogue, preferLatest }: Settings): Routes {
  const routes = registry.routes(catalogue, preferLatest);
  if (routes.size > 0) return routes;
  throw new BusbarError(
    'no-handlers',
    'The consumer has no handlers. Call on(...), onMatching(...) or onAny(...) first.',
  );
}

function dispatcherOf(
  routes: Routes,
  options: Settings,
  hasDeadLetters: boolean,
  drifted?: (drift: Drift) => void,
): Dispatcher {
  const settings = withDefaults(consumerOptions, options);
  const { catalogue, policies, envelope, logger, strict, maxRecordBytes } = settings;
  return createDispatcher({
    routes,
    catalogue,
    envelope: envelopeOf(envelope),
    policies: resolvePolicies(policies, hasDeadLetters),
    logger,
    strict,
    maxRecordBytes,
    drifted,
  });
}
