import type { Catalogue, CatalogueEvent, Validator } from '../catalogue/index.js';
import type { DecodedEvent, EnvelopeCodec, EventKey } from './envelope/envelope.js';
import { BusbarError, type ErrorCode } from './errors.js';
import { onlyKnownFields } from './known-fields.js';
import type { Logger } from './logger.js';
import { chooseAction, type Problem, type ResolvedPolicies } from './policies.js';
import { quoted } from './quoted.js';
import type { Registration, Routes } from './registry.js';
import type { ConsumerRecord } from './transports/transport.js';
import type { HandleVerdict, SkipVerdict, Verdict } from './verdict.js';

export interface DispatcherOptions {
  readonly routes: Routes;
  readonly catalogue: Catalogue;
  readonly envelope: EnvelopeCodec;
  readonly policies: ResolvedPolicies;
  readonly logger: Logger;
  readonly strict: boolean;
  readonly maxRecordBytes: number;
}

/** Takes a record from bytes to verdict: route by headers, decode, validate. Has no side effect but log lines. */
export interface Dispatcher {
  /** Synchronous, unless a validator has to be loaded first or has found something that must be explained. */
  dispatch(record: ConsumerRecord): Verdict | Promise<Verdict>;
  /** Loads the validators of the events that have a handler of their own, so that `dispatch` need not. */
  prepare(): Promise<void>;
}

export function createDispatcher(options: DispatcherOptions): Dispatcher {
  const { routes, catalogue, envelope, strict, maxRecordBytes } = options;
  const byKey = new Map<EventKey, Route>();
  const table = new Map<string, Map<string, Route>>();
  const decide = decider(options);

  // Two plain look-ups: to put type and version together for a single one costs more than to validate the payload.
  const routeOf = ({ type, version }: EventKey): Route | undefined =>
    table.get(type)?.get(version) ?? addRoute(type, version);

  // A codec that answers the same object for the same name is spared every comparison of text.
  const routeOfNamed = (named: EventKey): Route | undefined => {
    const found = byKey.get(named);
    if (found !== undefined) return found;
    const route = routeOf(named);
    if (route !== undefined && byKey.size < maxKeys) byKey.set(named, route);
    return route;
  };

  const addRoute = (type: string, version: string): Route | undefined => {
    const event = catalogue.find(type, version);
    if (event === undefined) return undefined;
    const validate = strict ? undefined : catalogue.loadedValidator(event);
    const route = { event, registration: routes.handlerOf(event), validate };
    const versions = table.get(type) ?? new Map<string, Route>();
    // The catalogue's strings, not those of the record, which may hold on to all of its text.
    table.set(event.type, versions.set(event.version, route));
    return route;
  };

  const load = async (route: Route): Promise<Validator> => {
    const validate = await catalogue.validator(route.event);
    if (!strict) return (route.validate = validate);
    const isKnown = onlyKnownFields(await catalogue.schema(route.event));
    return (route.validate = (payload) => validate(payload) && isKnown(payload));
  };

  const dispatch = (record: ConsumerRecord): Verdict | Promise<Verdict> => {
    let route: Route | undefined;
    let named: EventKey | undefined;
    let decoded: DecodedEvent;
    try {
      named = envelope.peek(record);
    } catch (error) {
      return undecodable(record, error);
    }
    if (named !== undefined) {
      route = routeOfNamed(named);
      if (route?.registration === undefined) return nobodys(record, named, route);
      // The same name, in strings that are compared by their place in memory.
      named = route.event;
    }
    if (record.value !== null && record.value.byteLength > maxRecordBytes) return tooLarge(record, named);
    try {
      decoded = envelope.decode(record, named);
    } catch (error) {
      return undecodable(record, error);
    }
    route ??= routeOf(decoded);
    if (route?.registration === undefined) return nobodys(record, decoded, route);
    if (route.validate === undefined) return loadFirst(record, route, decoded);
    if (route.validate(decoded.payload)) return handle(record, route.event, route.registration, decoded);
    return invalid(record, route.event, decoded.payload);
  };

  const loadFirst = async (record: ConsumerRecord, route: Route, decoded: DecodedEvent): Promise<Verdict> => {
    const { event, registration } = route;
    const validate = await load(route);
    if (registration === undefined || !validate(decoded.payload))
      return invalid(record, event, decoded.payload);
    return handle(record, event, registration, decoded);
  };

  const nobodys = (record: ConsumerRecord, named: EventKey, route: Route | undefined): Verdict => {
    if (route === undefined) {
      const name = `${quoted(named.type)} ${quoted(named.version)}`;
      return decide(
        'unknown',
        record,
        named,
        () => `The catalogue has no event ${name}. Update it, or add the event.`,
      );
    }
    // Nothing may be made for an event that nobody wants: most of a stream are such.
    if (options.policies.unhandled === 'ignore') return skips.unhandled;
    return decide(
      'unhandled',
      record,
      route.event,
      () => `Event ${quoted(route.event.name)} has no handler.`,
    );
  };

  const tooLarge = (record: ConsumerRecord, named: EventKey | undefined): Verdict =>
    decide(
      'undecodable',
      record,
      named,
      () => `It has ${record.value?.byteLength ?? 0} bytes; "maxRecordBytes" is ${maxRecordBytes}.`,
    );

  const undecodable = (record: ConsumerRecord, error: unknown): Verdict =>
    decide('undecodable', record, undefined, () =>
      // What another error says may quote the record.
      error instanceof BusbarError
        ? error.message
        : `The envelope "${envelope.name}" failed with ${nameOf(error)}.`,
    );

  const invalid = async (
    record: ConsumerRecord,
    event: CatalogueEvent,
    payload: unknown,
  ): Promise<Verdict> => {
    const violations = await catalogue.explain(event, payload, { strict });
    const shown = violations
      .slice(0, 3)
      .map(({ pointer, rule, message }) => `${quoted(pointer)} ${message} (${rule})`);
    const rest = violations.length - shown.length;
    return decide(
      'invalid',
      record,
      event,
      () =>
        `Event ${quoted(event.name)} does not match its schema: ${shown.join('; ')}${rest > 0 ? `; and ${rest} more` : ''}.`,
    );
  };

  return {
    dispatch,
    async prepare() {
      const wanted = routes.exact.map((event) => routeOf(event)).filter((route) => route !== undefined);
      await Promise.all(wanted.map(load));
    },
  };
}

/** Codecs that make a new key each time fill it once, to no use. */
const maxKeys = 1024;

interface Route {
  readonly event: CatalogueEvent;
  readonly registration: Registration | undefined;
  /** Undefined until it is loaded. */
  validate: Validator | undefined;
}

const codes = {
  unknown: 'unknown-record',
  unhandled: 'unhandled-event',
  invalid: 'invalid-event',
  undecodable: 'undecodable-record',
} as const satisfies Record<Problem['reason'], ErrorCode>;

/** One object for each reason: most verdicts of a busy topic are these. */
const skips = {
  unknown: { action: 'skip', reason: 'unknown' },
  unhandled: { action: 'skip', reason: 'unhandled' },
  invalid: { action: 'skip', reason: 'invalid' },
  undecodable: { action: 'skip', reason: 'undecodable' },
} as const satisfies Record<Problem['reason'], SkipVerdict>;

/** How many names are remembered as warned of. A stream of random names must neither fill memory nor the log. */
const maxWarned = 1000;

type Decide = (
  reason: Problem['reason'],
  record: ConsumerRecord,
  event: EventKey | undefined,
  describe: () => string,
) => Verdict;

/** Turns a problem into a verdict by its policy. */
function decider({ policies, logger }: DispatcherOptions): Decide {
  const warned = new Set<string>();

  /** Of unknown and unhandled events one line per name is enough; a broken record is news each time. */
  const isNews = (reason: Problem['reason'], event: EventKey | undefined): boolean => {
    if (event === undefined || reason === 'invalid' || reason === 'undecodable') return true;
    const name = `${event.type} ${event.version}`.slice(0, 256);
    if (warned.has(name) || warned.size >= maxWarned) return false;
    warned.add(name);
    if (warned.size === maxWarned) {
      logger.warn(
        `${maxWarned} different events were skipped with a warning. Further names are skipped silently.`,
      );
    }
    return true;
  };

  return (reason, record, event, describe) => {
    const policy = policies[reason];
    if (policy === 'ignore') return skips[reason];
    if (policy === 'warn' && !isNews(reason, event)) return skips[reason];
    const error = new BusbarError(codes[reason], `${describe()} (${positionOf(record)})`);
    const action = chooseAction(policy, { reason, error, record, event });
    switch (action) {
      case 'ignore':
        return skips[reason];
      case 'warn':
        if (policy === 'warn' || isNews(reason, event))
          logger.warn(`Skipped: ${error.message}`, { code: error.code });
        return skips[reason];
      case 'dead-letter':
      case 'fail':
        return { action, reason, event, error };
    }
  };
}

function handle(
  record: ConsumerRecord,
  { type, version }: CatalogueEvent,
  registration: Registration,
  { id, occurredAt, payload }: DecodedEvent,
): HandleVerdict {
  return { action: 'handle', event: { id, type, version, occurredAt, payload, record }, registration };
}

/** Where a record lies: `topic "platform.events", partition 0, offset 17`. */
export function positionOf({ topic, partition, offset }: ConsumerRecord): string {
  return `topic ${quoted(topic)}, partition ${partition}, offset ${offset}`;
}

function nameOf(error: unknown): string {
  return error instanceof Error ? error.name : typeof error;
}
