import type { Catalogue, EventCatalogue, EventType, PayloadOf } from '../catalogue/index.js';
import { builtInCatalogue, requireEvent } from '../catalogue/catalogue.js';
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
import { defined } from './base/defined.js';
import { BusbarError, quoted } from './base/errors.js';
import { createDispatcher, type Dispatcher, type Drift } from './dispatch.js';
import { type EnvelopeChoice, envelopeOf } from './envelope/by-topic.js';
import type { EventKey } from './envelope/envelope.js';
import type { AnyEvent, EventOf, Handler } from './event.js';
import { type Logger, silentLogger, stderrLogger } from './base/logger.js';
import type { Middleware } from './middleware.js';
import { type Policies, policyOptions, resolvePolicies } from './policies.js';
import { type HandlerOptions, Registry, type Routes } from './registry.js';
import { observerOf, type Settlement } from './running/observer.js';
import {
  type DispatchOptions,
  type DispatchParts,
  dispatchParts,
  RecordDispatch,
} from './running/record-dispatch.js';
import { handlingOptions, type HandlingOptions, type RunOptions, runOptions } from './running/run-options.js';
import { startRun } from './running/run.js';
import type { RunningConsumer } from './running/running-consumer.js';
import type { MessageInput, RecordInput } from './transports/record-input.js';
import type { ConsumerRecord, Transport } from './transports/transport.js';
import { logRoutes, warnOfVersions } from './log-routes.js';
import type { Verdict } from './verdict.js';
import type { Convert, PreferLatest } from './versions.js';

/** Options of {@link createConsumer}. */
export interface ConsumerOptions extends HandlingOptions {
  /** Name of the consumer in contexts, dead letters and metrics. Default: the transport's group, else `consumer`. */
  readonly name?: string;
  /** Catalogue of the events. Default: the built-in catalogue. */
  readonly catalogue?: Catalogue;
  /** Actions for records that no handler receives. */
  readonly policies?: Policies;
  /** The wire format, or one for each topic. Default `busbarEnvelope()`. */
  readonly envelope?: EnvelopeChoice;
  /** Whether to handle only the highest version of an event that is both handled and published. Default false. */
  readonly preferLatest?: PreferLatest;
  /** Logger. Default: `stderrLogger`. */
  readonly logger?: Logger;
  /** Whether fields that the schema does not name make an event invalid. Default false: the platform may add fields. */
  readonly strict?: boolean;
  /** Maximum length of a record's value in bytes; a longer one is undecodable. Default 16 MiB. */
  readonly maxRecordBytes?: number;
}

/** Option table of {@link ConsumerOptions}. */
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
    default: false,
  },
  logger: { type: loggerObject, default: stderrLogger },
  strict: { type: boolean, default: false },
  maxRecordBytes: { type: whole({ from: 1 }), default: 16 * 1024 * 1024, unit: 'bytes' },
} satisfies OptionTable<ConsumerOptions>;

/** Handlers, middleware and upcasts. Each call of `run` starts a running consumer from them. */
export interface Consumer extends Definitions {
  /**
   * Connects and handles records until the source ends or the consumer is stopped.
   * @throws BusbarError `no-handlers`, `no-dead-letters`, `invalid-option`, `connection-failed`
   */
  run(transport: Transport, options?: RunOptions): Promise<RunningConsumer>;
  /**
   * Handles one record in a loop that another program owns. Resolves when the record is settled: handled, skipped or
   * dead-lettered. Rejects when it is not, so that the loop delivers it again. The records of one key must not overlap.
   * @throws BusbarError `handler-failed`, `deadline-exceeded`, `dead-letter-failed`, the problem of a record whose policy
   * is `fail`, `no-handlers`, `no-dead-letters`, `invalid-option`; the signal's reason after an abort
   * @example
   * eachMessage: async ({ topic, partition, message }) => {
   *   await consumer.dispatch({ topic, partition, message });
   * }
   */
  dispatch(record: RecordInput | MessageInput, options?: DispatchOptions): Promise<Settlement>;
  /**
   * Returns the verdict on a record, without acting on it. Assumes a transport with dead letters. Synchronous when the
   * event's validator is loaded and the payload is valid.
   */
  verdictOn(record: ConsumerRecord): Verdict | Promise<Verdict>;
}

/** Functions that define handlers, middleware and upcasts. */
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
   * Handles every event whose type matches and that has no handler of its own; `*` matches any text, dots included.
   * @throws BusbarError `duplicate-handler`, `invalid-option`; `run` throws `unknown-event` when nothing matches
   */
  readonly onMatching: (pattern: string, handler: Handler<AnyEvent>, options?: HandlerOptions) => void;
  /**
   * Handles every event that no other handler receives.
   * @throws BusbarError `duplicate-handler`, `invalid-option`
   */
  readonly onAny: (handler: Handler<AnyEvent>, options?: HandlerOptions) => void;
  /**
   * Wraps every handler of the consumer in the middleware, handlers defined earlier included; the first is outermost.
   * @throws BusbarError `invalid-option`
   */
  readonly use: (middleware: Middleware) => void;
  /**
   * Converts a version without a handler to another version of the event; steps are chained until a version has a
   * handler. Each result is validated against the schema of its version.
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

/**
 * Creates a consumer that is independent of the default one behind `on` and `run`.
 * @throws BusbarError `invalid-option`
 */
export function createConsumer(options: ConsumerOptions = {}): Consumer {
  checkOptions<ConsumerOptions>('createConsumer()', consumerOptions, options);
  const registry = new Registry();
  const settings = settingsOf(options);
  let direct: Dispatcher | undefined;
  const single = new RecordDispatch(() => prepareDispatch(registry, settings));

  const definitions = definitionsOf(registry, (defined) => {
    // The catalogue is known here, so a wrong name is reported where it was written, not by `run`.
    for (const key of defined) requireEvent(settings.catalogue, key);
    direct = undefined;
    single.reset();
  });
  return {
    ...definitions,
    async run(transport, options = {}) {
      checkOptions<RunOptions>('run()', runOptions, options);
      return runRegistry(registry, transport, { ...settings, ...defined(options) });
    },
    dispatch: (record, options) => single.dispatch(record, options),
    verdictOn: (record) =>
      (direct ??= dispatcherOf(routesOf(registry, settings), settings, true)).verdictOn(record),
  };
}

const eventName = {
  type: { type: nonEmptyText, isRequired: true },
  versions: { type: either(nonEmptyText, listOf(nonEmptyText)), isRequired: true },
} satisfies OptionTable<{ type: string; versions: string | readonly string[] }>;

/** Returns the typed functions of a registry. Calls `check` before each registration, with the events that it names. */
export function definitionsOf(
  registry: Registry,
  check: (defined: readonly EventKey[]) => void,
): Definitions {
  return {
    on(type, versions, handler, options) {
      // For callers without a compiler: when the version is forgotten, the handler takes its position.
      checkOptions('on()', eventName, { type, versions });
      const list: readonly string[] = typeof versions === 'string' ? [versions] : versions;
      check(list.map((version) => ({ type, version })));
      registry.on(type, list, handler as Handler<AnyEvent>, options);
    },
    onMatching(pattern, handler, options) {
      checkOptions('onMatching()', { pattern: { type: nonEmptyText, isRequired: true } }, { pattern });
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

/** Starts a running consumer with the current registrations. */
export async function runRegistry(
  registry: Registry,
  transport: Transport,
  options: ConsumerOptions & RunOptions,
): Promise<RunningConsumer> {
  checkOptions('run()', { transport: { type: aTransport, isRequired: true } }, { transport });
  const settings = settingsOf(options);
  const routes = routesOf(registry, settings);
  const observer = observerOf(options.observer, settings.logger);
  const dispatcher = dispatcherOf(routes, settings, transport.capabilities.deadLetters, observer.drifted);
  await dispatcher.prepare();
  logHandlers(routes, settings);
  return startRun(dispatcher, transport, { ...settings, observer });
}

/** Prepares the current registrations for single records. */
export function prepareDispatch(registry: Registry, options: ConsumerOptions): DispatchParts {
  const settings = settingsOf(options);
  const { logger, afterDeadLetter } = settings;
  if (afterDeadLetter !== 'continue') {
    throw new BusbarError(
      'invalid-option',
      `dispatch(): "afterDeadLetter" is ${quoted(afterDeadLetter)}, which only run() can do. Omit it.`,
    );
  }
  const routes = routesOf(registry, settings);
  logHandlers(routes, settings);
  const observer = observerOf(options.observer, logger);
  return dispatchParts({ ...settings, observer }, (hasDeadLetters) =>
    dispatcherOf(routes, settings, hasDeadLetters, observer.drifted),
  );
}

type Settings = ReturnType<typeof settingsOf>;

function settingsOf<O extends ConsumerOptions>(options: O) {
  return { ...withDefaults(consumerOptions, options), catalogue: options.catalogue ?? builtInCatalogue() };
}

function routesOf(registry: Registry, { catalogue, preferLatest }: Settings): Routes {
  const routes = registry.routes(catalogue, preferLatest);
  if (routes.registrations.length > 0) return routes;
  throw new BusbarError(
    'no-handlers',
    'The consumer has no handlers. Call on(...), onMatching(...) or onAny(...) first.',
  );
}

/** Logs the events that the handlers receive. A verification starts hundreds of consumers that log nothing. */
function logHandlers(routes: Routes, { catalogue, logger }: Settings): void {
  if (logger === silentLogger) return;
  logRoutes(routes, catalogue, logger);
  warnOfVersions(routes, logger);
}

function dispatcherOf(
  routes: Routes,
  { catalogue, policies, envelope, logger, strict, maxRecordBytes }: Settings,
  hasDeadLetters: boolean,
  drifted?: (drift: Drift) => void,
): Dispatcher {
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
