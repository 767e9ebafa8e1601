import type { Catalogue, CatalogueEvent, Validator } from '../catalogue/index.js';
import type { DecodedEvent, EnvelopeCodec, EventKey } from './envelope/envelope.js';
import { BusbarError, type ErrorCode } from './base/errors.js';
import { onlyKnownFields, sampled } from './known-fields.js';
import type { Logger } from './base/logger.js';
import { chooseAction, type Problem, type ResolvedPolicies } from './policies.js';
import { quoted } from './base/quoted.js';
import { ReceivedEvent } from './received-event.js';
import type { EventRoute, Registration, Routes } from './registry.js';
import type { Drift } from './running/observer.js';
import { kindOf } from './base/thrown.js';
import type { ConsumerRecord } from './transports/transport.js';
import { upcaster, type UpcastPayload } from './upcast-payload.js';
import type { HandleVerdict, SkipVerdict, Verdict } from './verdict.js';

export interface DispatcherOptions {
  readonly routes: Routes;
  readonly catalogue: Catalogue;
  readonly envelope: EnvelopeCodec;
  readonly policies: ResolvedPolicies;
  readonly logger: Logger;
  readonly strict: boolean;
  readonly maxRecordBytes: number;
  /** Told of what does not fit the catalogue. Without it nobody looks for fields that a schema does not name. */
  readonly drifted: ((drift: Drift) => void) | undefined;
}

/** Takes a record from bytes to verdict: route by headers, decode, validate. Has no side effect but log lines. */
export interface Dispatcher {
  /** Synchronous, unless a validator has to be loaded first or has found something that must be explained. */
  dispatch(record: ConsumerRecord): Verdict | Promise<Verdict>;
  /** Loads the validators of the events that have a handler of their own, so that `dispatch` need not. */
  prepare(): Promise<void>;
}

export function createDispatcher(options: DispatcherOptions): Dispatcher {
  const { routes, catalogue, envelope, strict, maxRecordBytes, drifted } = options;
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
    const { registration, steps = [], isSuperseded = false } = routes.routeOf(event) ?? {};
    const isPlain = !strict && steps.length === 0 && drifted === undefined;
    const validate = isPlain ? catalogue.loadedValidator(event) : undefined;
    const route: Route = { event, registration, steps, isSuperseded, validate, upcast: undefined };
    const versions = table.get(type) ?? new Map<string, Route>();
    // The catalogue's strings, not those of the record, which may hold on to all of its text.
    table.set(event.type, versions.set(event.version, route));
    return route;
  };

  const validatorOf = async (event: CatalogueEvent): Promise<Validator> => {
    const validate = await catalogue.validator(event);
    if (!strict) return validate;
    const isKnown = onlyKnownFields(await catalogue.schema(event));
    return (payload) => validate(payload) && isKnown(payload);
  };

  /** The same validator, which also tells of fields that are new. Strictly taken, an event with such is invalid. */
  const watched = async (event: CatalogueEvent, validate: Validator): Promise<Validator> => {
    if (drifted === undefined || strict) return validate;
    const schema = await catalogue.schema(event);
    return sampled(validate, onlyKnownFields(schema), () => drifted({ kind: 'unknown-fields', event }));
  };

  const load = async (route: Route): Promise<Validator> => {
    const { event, steps } = route;
    const validate = await watched(event, await validatorOf(event));
    if (steps.length > 0) {
      const targets = await Promise.all(steps.map(({ target }) => validatorOf(target)));
      route.upcast = upcaster(event, steps, targets);
    }
    return (route.validate = validate);
  };

  const dispatch = (record: ConsumerRecord): Verdict | Promise<Verdict> => {
    let route: Route | undefined;
    let named: EventKey | undefined;
    let decoded: DecodedEvent;
    try {
      named = envelope.peek(record, catalogue);
    } catch (error) {
      return undecodable(record, error);
    }
    if (named !== undefined) {
      route = routeOfNamed(named);
      if (route?.registration === undefined) return nobodys(record, named, route);
      if (route.isSuperseded) return skips.superseded;
      // The same name, in strings that are compared by their place in memory.
      named = route.event;
    }
    if (record.value !== null && record.value.byteLength > maxRecordBytes) return tooLarge(record, named);
    try {
      decoded = envelope.decode(record, named, catalogue);
    } catch (error) {
      return undecodable(record, error);
    }
    route ??= routeOf(decoded);
    if (route?.registration === undefined) return nobodys(record, decoded, route);
    if (route.isSuperseded) return skips.superseded;
    if (route.validate === undefined) return loadFirst(record, route, decoded);
    if (!route.validate(decoded.payload)) return invalid(record, route.event, decoded.payload);
    const event = new ReceivedEvent(route.event, decoded, record);
    const verdict: HandleVerdict = { action: 'handle', event, registration: route.registration };
    return route.upcast === undefined ? verdict : raised(verdict, route.upcast);
  };

  /** The same, with the event in the version that its handler wants. */
  const raised = (verdict: HandleVerdict, upcast: UpcastPayload): Verdict => {
    const { event, registration } = verdict;
    const result = upcast(event);
    if (!('problem' in result)) return { action: 'handle', event: result, registration };
    const { problem, ...thrown } = result;
    return decide('invalid', event.record, event, () => problem, { code: 'upcast-failed', ...thrown });
  };

  const loadFirst = async (record: ConsumerRecord, route: Route, decoded: DecodedEvent): Promise<Verdict> => {
    const { event, registration } = route;
    const validate = await load(route);
    if (registration === undefined || !validate(decoded.payload))
      return invalid(record, event, decoded.payload);
    const received = new ReceivedEvent(event, decoded, record);
    const verdict: HandleVerdict = { action: 'handle', event: received, registration };
    return route.upcast === undefined ? verdict : raised(verdict, route.upcast);
  };

  const nobodys = (record: ConsumerRecord, named: EventKey, route: Route | undefined): Verdict => {
    if (route === undefined) {
      drifted?.({ kind: 'unknown-event', event: named });
      const name = nameOf(named);
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
    error instanceof BusbarError
      ? decide('undecodable', record, undefined, () => error.message)
      : // What another error says may quote the record.
        decide(
          'undecodable',
          record,
          undefined,
          () => `The envelope "${envelope.name}" failed with ${kindOf(error)}.`,
          { cause: error },
        );

  const invalid = async (
    record: ConsumerRecord,
    event: CatalogueEvent,
    payload: unknown,
  ): Promise<Verdict> => {
    const violations = await catalogue.explain(event, payload, { strict });
    drifted?.({ kind: 'invalid', event, rules: [...new Set(violations.map(({ rule }) => rule))] });
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

interface Route extends Omit<EventRoute, 'registration'> {
  readonly event: CatalogueEvent;
  readonly registration: Registration | undefined;
  /** Undefined until it is loaded. */
  validate: Validator | undefined;
  /** Loaded with the validator, where there are steps. */
  upcast: UpcastPayload | undefined;
}

const codes = {
  unknown: 'unknown-record',
  unhandled: 'unhandled-event',
  invalid: 'invalid-event',
  undecodable: 'undecodable-record',
} as const satisfies Record<Problem['reason'], ErrorCode>;

/** One object for each reason: most verdicts of a busy topic are these. */
export const skips = {
  unknown: { action: 'skip', reason: 'unknown' },
  unhandled: { action: 'skip', reason: 'unhandled' },
  superseded: { action: 'skip', reason: 'superseded' },
  'other-group': { action: 'skip', reason: 'other-group' },
  invalid: { action: 'skip', reason: 'invalid' },
  undecodable: { action: 'skip', reason: 'undecodable' },
} as const satisfies Record<SkipVerdict['reason'], SkipVerdict>;

/** How many names are remembered as warned of. A stream of random names must neither fill memory nor the log. */
const maxWarned = 1000;

type Decide = (
  reason: Problem['reason'],
  record: ConsumerRecord,
  event: EventKey | undefined,
  describe: () => string,
  error?: { readonly code?: ErrorCode; readonly cause?: unknown },
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

  return (reason, record, event, describe, { code = codes[reason], ...thrown } = {}) => {
    const policy = policies[reason];
    if (policy === 'ignore') return skips[reason];
    if (policy === 'warn' && !isNews(reason, event)) return skips[reason];
    const error = new BusbarError(code, `${describe()} (${positionOf(record)})`, thrown);
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

/** Where a record lies: `topic "platform.events", partition 0, offset 17`. */
export function positionOf({ topic, partition, offset }: ConsumerRecord): string {
  return `topic ${quoted(topic)}, partition ${partition}, offset ${offset}`;
}

/** Without a version where the wire format's one name is not in the catalogue, which alone can tell its parts. */
function nameOf({ type, version }: EventKey): string {
  return version === '' ? quoted(type) : `${quoted(type)} ${quoted(version)}`;
}
