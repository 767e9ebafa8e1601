import { type Catalogue, type EventCatalogue, type EventType, openCatalogue } from '../catalogue/index.js';
import { createDispatcher, type Dispatcher } from './dispatch.js';
import { busbarEnvelope } from './envelope/busbar.js';
import type { EnvelopeCodec, EventKey } from './envelope/envelope.js';
import { BusbarError } from './errors.js';
import type { AnyEvent, EventOf, Handler } from './event.js';
import { type Logger, stderrLogger } from './logger.js';
import { type Policies, resolvePolicies } from './policies.js';
import { createRegistry, type HandlerOptions, known, type Registry } from './registry.js';
import type { HandlingOptions, RunOptions } from './run-options.js';
import { type RunningConsumer, startRun } from './runtime.js';
import type { ConsumerRecord, Transport } from './transports/transport.js';
import type { Verdict } from './verdict.js';

export interface ConsumerOptions extends HandlingOptions {
  /** What contexts, dead letters and metrics call it. Default: the transport's group, else `consumer`. */
  readonly name?: string;
  /** What events there are. Default: the built-in catalogue. */
  readonly catalogue?: Catalogue;
  /** What is done with records that no handler gets. */
  readonly policies?: Policies;
  /** The wire format. Default {@link busbarEnvelope}. */
  readonly envelope?: EnvelopeCodec;
  /** Default: warnings and errors on standard error. */
  readonly logger?: Logger;
  /** Fields that the schema does not name make an event invalid. Default false: the platform may add fields. */
  readonly strict?: boolean;
  /** A record with a longer value is undecodable. In bytes; default 16 MiB. */
  readonly maxRecordBytes?: number;
}

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
}

/** A consumer of its own, beside the default one behind `on` and `run`. */
export function createConsumer(options: ConsumerOptions = {}): Consumer {
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
    run: (transport, runOptions) => runRegistry(registry, transport, { ...settings, ...runOptions }),
    dispatch: (record) => (direct ??= dispatcherOf(registry, settings, true)).dispatch(record),
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
  };
}

/** Makes a running consumer of what is registered now. */
export async function runRegistry(
  registry: Registry,
  transport: Transport,
  options: ConsumerOptions & RunOptions,
): Promise<RunningConsumer> {
  const dispatcher = dispatcherOf(registry, options, transport.capabilities.deadLetters);
  await dispatcher.prepare();
  return startRun(dispatcher, transport, options);
}

function dispatcherOf(registry: Registry, options: ConsumerOptions, hasDeadLetters: boolean): Dispatcher {
  const {
    catalogue = openCatalogue(),
    policies = {},
    envelope = busbarEnvelope(),
    logger = stderrLogger,
    strict = false,
    maxRecordBytes = 16 * 1024 * 1024,
  } = options;
  if (!(maxRecordBytes > 0)) {
    throw new BusbarError(
      'invalid-option',
      `"maxRecordBytes" must be a number of bytes, not ${maxRecordBytes}.`,
    );
  }
  const routes = registry.routes(catalogue);
  if (routes.size === 0) {
    throw new BusbarError(
      'no-handlers',
      'The consumer has no handlers. Call on(...), onMatching(...) or onAny(...) first.',
    );
  }
  return createDispatcher({
    routes,
    catalogue,
    envelope,
    policies: resolvePolicies(policies, hasDeadLetters),
    logger,
    strict,
    maxRecordBytes,
  });
}
