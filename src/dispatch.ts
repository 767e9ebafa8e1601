import type { Catalogue, CatalogueEvent, Validator } from '../catalogue/index.js';
import { namedFields } from '../catalogue/schema.js';
import type { DecodedEvent, EnvelopeCodec, EventKey } from './envelope/envelope.js';
import { ownPayload } from './envelope/own-payload.js';
import { BusbarError, type ErrorCode, kindOf, quoted } from './base/errors.js';
import { onlyKnownFields, sampled } from './known-fields.js';
import type { Logger } from './base/logger.js';
import { chooseAction, type Problem, type ResolvedPolicies } from './policies.js';
import { ReceivedEvent } from './received-event.js';
import type { EventRoute, Registration, Routes } from './registry.js';
import type { ConsumerRecord } from './transports/transport.js';
import { upcaster, type UpcastPayload } from './upcast-payload.js';
import type { HandleVerdict, SkipVerdict, Verdict } from './verdict.js';

interface DispatcherOptions {
  readonly routes: Routes;
  readonly catalogue: Catalogue;
  readonly envelope: EnvelopeCodec;
  readonly policies: ResolvedPolicies;
  readonly logger: Logger;
  readonly strict: boolean;
  readonly maxRecordBytes: number;
  /** Reports drift. When undefined, no payload is searched for fields that its schema does not name. */
  readonly drifted: ((drift: Drift) => void) | undefined;
}

/** A difference between a record and the catalogue. */
export type Drift =
  /** The catalogue has no event of that name. The name may be any text. */
  | { readonly kind: 'unknown-event'; readonly event: EventKey }
  /** The payload breaks its schema. Each rule is listed once, for example `required` or `type`. */
  | { readonly kind: 'invalid'; readonly event: EventKey; readonly rules: readonly string[] }
  /**
   * A valid payload has fields, at any depth, that its schema does not name. Checked for the first event of each
   * handled version, and each sixteenth after it.
   */
  | { readonly kind: 'unknown-fields'; readonly event: EventKey };

/** Turns a record into a verdict: routes by headers, decodes, validates. Its only side effects are log lines. */
export interface Dispatcher {
  /** Synchronous, unless a validator has to be loaded first or the payload is invalid. */
  verdictOn(record: ConsumerRecord): Verdict | Promise<Verdict>;
  /** Loads the validators of the events that have a handler of their own, before the first record. */
  prepare(): Promise<void>;
}

export function createDispatcher(options: DispatcherOptions): Dispatcher {
  const { routes, catalogue, envelope, strict, maxRecordBytes, drifted } = options;
  const byKey = new Map<EventKey, Route>();
  const table = new Map<string, Map<string, Route>>();
  const decide = decider(options);

  // Two look-ups: concatenating type and version into one key costs more than validating the payload.
  const routeOf = ({ type, version }: EventKey): Route | undefined =>
    table.get(type)?.get(version) ?? addRoute(type, version);

  // A codec that returns the same object for the same name avoids every comparison of text.
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
    const { registration, steps = [], isSuperseded = false } = routes.handled.get(event) ?? {};
    const isPlain = !strict && steps.length === 0 && drifted === undefined;
    const validate = isPlain ? catalogue.loadedValidator(event) : undefined;
    const route: Route = {
      event,
      registration,
      steps,
      isSuperseded,
      validate,
      named: undefined,
      upcast: undefined,
    };
    const versions = table.get(type) ?? new Map<string, Route>();
    // The catalogue's strings: those of the record may keep all of its text in memory.
    table.set(event.type, versions.set(event.version, route));
    return route;
  };

  const validatorOf = async (event: CatalogueEvent): Promise<Validator> => {
    const validate = await catalogue.validator(event);
    if (!strict) return validate;
    const isKnown = onlyKnownFields(await catalogue.schema(event));
    return (payload) => validate(payload) && isKnown(payload);
  };

  /** Returns the validator, which also reports unknown fields. With `strict`, unknown fields are invalid instead. */
  const withDriftCheck = async (event: CatalogueEvent, validate: Validator): Promise<Validator> => {
    if (drifted === undefined || strict) return validate;
    const schema = await catalogue.schema(event);
    return sampled(validate, onlyKnownFields(schema), () => drifted({ kind: 'unknown-fields', event }));
  };

  const load = async (route: Route): Promise<void> => {
    const { event, steps } = route;
    const validate = await withDriftCheck(event, await validatorOf(event));
    if (steps.length > 0) {
      const targets = await Promise.all(steps.map(({ target }) => validatorOf(target)));
      route.upcast = upcaster(event, steps, targets);
    }
    route.validate = validate;
  };

  const verdictOn = (record: ConsumerRecord): Verdict | Promise<Verdict> => {
    let route: Route | undefined;
    let named: EventKey | undefined;
    let decoded: DecodedEvent;
    try {
      named = envelope.peek(record, catalogue);
    } catch (error) {
      return undecodable(record, undefined, error);
    }
    if (named !== undefined) {
      route = routeOfNamed(named);
      if (route?.registration === undefined) return unhandledVerdict(record, named, route);
      if (route.isSuperseded) return skips.superseded;
      // Equal strings of the catalogue are the same object, so comparing them is fast.
      named = route.event;
    }
    const size = record.value?.byteLength ?? 0;
    if (size > maxRecordBytes) return tooLarge(record, named, size);
    try {
      decoded = envelope.decode(record, named, catalogue);
    } catch (error) {
      return undecodable(record, named, error);
    }
    route ??= routeOf(decoded);
    if (route?.registration === undefined) return unhandledVerdict(record, decoded, route);
    if (route.isSuperseded) return skips.superseded;
    const { registration } = route;
    const isLoaded =
      route.validate !== undefined && (decoded.envelopeFields === undefined || route.named !== undefined);
    if (!isLoaded) return loadFirst(record, route, registration, decoded);
    return verdictOf(record, route, registration, decoded);
  };

  // Apart from `verdictOn`: a closure there would allocate a context for each record.
  const loadFirst = async (
    record: ConsumerRecord,
    route: Route,
    registration: Registration,
    decoded: DecodedEvent,
  ): Promise<Verdict> => {
    if (route.validate === undefined) await load(route);
    if (decoded.envelopeFields !== undefined) route.named = namedFields(await catalogue.schema(route.event));
    return verdictOf(record, route, registration, decoded);
  };

  const verdictOf = (
    record: ConsumerRecord,
    { event, validate, named, upcast }: Route,
    registration: Registration,
    decoded: DecodedEvent,
  ): Verdict | Promise<Verdict> => {
    const payload = named === undefined ? decoded.payload : ownPayload(decoded, named);
    if (validate?.(payload) !== true) return invalid(record, event, payload);
    const received = new ReceivedEvent(event, decoded, payload, record);
    const verdict: HandleVerdict = { action: 'handle', event: received, registration };
    return upcast === undefined ? verdict : applyUpcast(verdict, upcast);
  };

  const applyUpcast = (verdict: HandleVerdict, upcast: UpcastPayload): Verdict => {
    const { event, registration } = verdict;
    const result = upcast(event);
    if (!('problem' in result)) return { action: 'handle', event: result, registration };
    const { problem, ...thrown } = result;
    return decide('invalid', event.record, event, () => problem, { code: 'upcast-failed', ...thrown });
  };

  const unhandledVerdict = (record: ConsumerRecord, named: EventKey, route: Route | undefined): Verdict => {
    if (route === undefined) {
      const { type, version } = named;
      drifted?.({ kind: 'unknown-event', event: { type, version } });
      return decide('unknown', record, named, () =>
        // A wire format with a single name has no version: only the catalogue can split it.
        version === '' && catalogue.hasType(type)
          ? `The record names no version of ${quoted(type)}. Check "envelope".`
          : `The catalogue has no event ${quoted(type)}${version && ` ${quoted(version)}`}. Update it, or add the event.`,
      );
    }
    // Allocates nothing: most events of a stream are unhandled.
    if (options.policies.unhandled === 'ignore') return skips.unhandled;
    return decide(
      'unhandled',
      record,
      route.event,
      () => `Event ${quoted(route.event.name)} has no handler.`,
    );
  };

  const tooLarge = (record: ConsumerRecord, named: EventKey | undefined, size: number): Verdict =>
    decide(
      'undecodable',
      record,
      named,
      () => `The record has ${size} bytes. "maxRecordBytes" is ${maxRecordBytes}.`,
    );

  const undecodable = (record: ConsumerRecord, named: EventKey | undefined, error: unknown): Verdict => {
    if (error instanceof BusbarError) {
      // The option "envelope" is wrong, not the record.
      if (error.code === 'invalid-option') throw error;
      return decide('undecodable', record, named, () => error.message);
    }
    // The message of any other error may quote the record.
    return decide(
      'undecodable',
      record,
      named,
      () => `The envelope "${envelope.name}" failed with ${kindOf(error)}.`,
      { cause: error },
    );
  };

  const invalid = async (
    record: ConsumerRecord,
    event: CatalogueEvent,
    payload: unknown,
  ): Promise<Verdict> => {
    const violations = await catalogue.explain(event, payload, { strict });
    drifted?.({ kind: 'invalid', event, rules: [...new Set(violations.map(({ rule }) => rule))] });
    const shown = violations
      .slice(0, 3)
      .map(({ pointer, rule, message }) => `${quoted(pointer || 'payload')} ${message} (${rule})`);
    return decide(
      'invalid',
      record,
      event,
      () =>
        `Event ${quoted(event.name)} does not match its schema: ${shown.join('; ')}${violations.length > 3 ? `; and ${violations.length - 3} more` : ''}.`,
    );
  };

  return {
    verdictOn,
    async prepare() {
      const exact = routes.exact.map((event) => routeOf(event)).filter((route) => route !== undefined);
      await Promise.all(exact.filter(({ validate }) => validate === undefined).map(load));
    },
  };
}

/** Bounds the keys that are cached by identity: a codec may return a new object each time. */
const maxKeys = 1024;

interface Route extends Omit<EventRoute, 'registration'> {
  readonly event: CatalogueEvent;
  readonly registration: Registration | undefined;
  /** Undefined until loaded. */
  validate: Validator | undefined;
  /** Fields that the schema names. Loaded for the first payload with fields of its envelope. */
  named: ReadonlySet<string> | undefined;
  /** Loaded with the validator; undefined without steps. */
  upcast: UpcastPayload | undefined;
}

const codes = {
  unknown: 'unknown-record',
  unhandled: 'unhandled-event',
  invalid: 'invalid-event',
  undecodable: 'undecodable-record',
} as const satisfies Record<Problem['reason'], ErrorCode>;

/** One shared object for each reason: most verdicts of a busy topic are skips. */
export const skips = {
  unknown: { action: 'skip', reason: 'unknown' },
  unhandled: { action: 'skip', reason: 'unhandled' },
  superseded: { action: 'skip', reason: 'superseded' },
  'other-group': { action: 'skip', reason: 'other-group' },
  invalid: { action: 'skip', reason: 'invalid' },
  undecodable: { action: 'skip', reason: 'undecodable' },
} as const satisfies Record<SkipVerdict['reason'], SkipVerdict>;

/** Maximum number of event names to warn about. A stream of random names must not fill memory or the log. */
const maxWarned = 1000;

type Decide = (
  reason: Problem['reason'],
  record: ConsumerRecord,
  event: EventKey | undefined,
  describe: () => string,
  error?: { readonly code?: ErrorCode; readonly cause?: unknown },
) => Verdict;

/** Returns a function that turns a problem into a verdict by its policy. */
function decider({ policies, logger }: DispatcherOptions): Decide {
  const warned = new Set<string>();

  /** Whether to log a problem: unknown and unhandled events once per name, invalid records each time. */
  const isNews = (reason: Problem['reason'], event: EventKey | undefined): boolean => {
    if (event === undefined || reason === 'invalid' || reason === 'undecodable') return true;
    const name = `${event.type} ${event.version}`.slice(0, 256);
    if (warned.has(name) || warned.size >= maxWarned) return false;
    warned.add(name);
    if (warned.size === maxWarned) logger.warn('further event names are not logged', { maxWarned });
    return true;
  };

  return (reason, record, named, describe, { code = codes[reason], ...thrown } = {}) => {
    const policy = policies[reason];
    if (policy === 'ignore') return skips[reason];
    if (policy === 'warn' && !isNews(reason, named)) return skips[reason];
    // Only the name: a decoded event has its payload, which policies and observers may log.
    const event = named && { type: named.type, version: named.version };
    const error = new BusbarError(code, `${describe()} (${positionOf(record)})`, thrown);
    const action = chooseAction(policy, { reason, error, record, event });
    switch (action) {
      case 'ignore':
        return skips[reason];
      case 'warn':
        if (policy === 'warn' || isNews(reason, event))
          logger.warn('record skipped', { code: error.code, error: error.message });
        return skips[reason];
      case 'dead-letter':
      case 'fail':
        return { action, reason, event, error };
    }
  };
}

/** Returns the position of a record as text: `topic "platform.events", partition 0, offset 17`. */
export function positionOf({ topic, partition, offset }: ConsumerRecord): string {
  return `topic ${quoted(topic)}, partition ${partition}, offset ${offset}`;
}
