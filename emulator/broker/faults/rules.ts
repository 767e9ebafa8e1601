import {
  boolean,
  BusbarError,
  checkOptions,
  choice,
  didYouMean,
  matching,
  nearest,
  nested,
  nonEmptyText,
  type OptionTable,
  quoted,
  readDuration,
  whole,
} from 'busbar/base';
import type { Fields, Versions, WireType } from 'busbar/internal/kafka-protocol';
import type { Api } from '../api.js';
import { errorsOf, type KafkaError, kafkaErrors } from './known-errors.js';

/** Selects requests: those of one API that pass all filters. */
export interface RequestFilter {
  /** The API, for example `OffsetCommit`. */
  readonly on: string;
  /** The consumer group that the request names. */
  readonly group?: string;
  /** The client id of the request. */
  readonly client?: string;
  /** A topic that the request names. */
  readonly topic?: string;
  /** A partition that the request names, in `topic` or in any topic. */
  readonly partition?: number;
  /** The versions of the request: `v8+`, `v0-7` or `v9`. */
  readonly versions?: Versions;
  /** A record whose handling the OffsetCommit reports: it commits a later offset. */
  readonly covers?: RecordPosition;
  /** The number of selected requests to leave alone first. Default 0. */
  readonly skip?: number;
}

/** The topic, partition and offset of a record. */
export interface RecordPosition {
  readonly topic: string;
  readonly partition: number;
  readonly offset: number;
}

/** A fault for the requests that it selects. Exactly one of `error`, `delay`, `cut`, `throttle` and `epoch` is set. */
export interface FaultRule extends RequestFilter {
  /** The number of requests to fault. Default: all. */
  readonly times?: number;
  /** The share of the requests to fault, for example `5%`, instead of `skip` and `times`. The seed selects them. */
  readonly share?: string;
  /** Returns this error instead of carrying the request out, for the partitions in `topic` and `partition` only. */
  readonly error?: KafkaError;
  /** Allows an `error` that Apache Kafka never returns to the API. Default false. */
  readonly unlikely?: boolean;
  /** The time before the request is carried out, for example `200ms`. */
  readonly delay?: string;
  /** Closes the connection `before` the broker carries out the request, or instead of the `answer`. */
  readonly cut?: 'before' | 'answer';
  /** The throttle time that the response reports, for example `1s`. */
  readonly throttle?: string;
  /** The leader epoch that the response and its batches carry. The broker's own is 0. */
  readonly epoch?: number;
}

/** The point at which {@link BrokerFaults.hold} stops the first request that it selects. */
export interface HoldPoint extends RequestFilter {
  /** `request`: before the request is carried out. `answer`: carried out, and the client does not know it. */
  readonly at: 'request' | 'answer';
}

const duration = {
  expected: 'a duration, for example 200ms or 5s',
  accepts: (value: unknown) => typeof value === 'string' && readDuration(value) !== undefined,
};
const offset = whole({ from: 0 });

const filterOptions = {
  on: { type: nonEmptyText, isRequired: true },
  group: { type: nonEmptyText },
  client: { type: nonEmptyText },
  topic: { type: nonEmptyText },
  partition: { type: offset },
  versions: { type: matching(/^v\d+(\+|-\d+)?$/, 'versions, for example v8+, v0-7 or v9') },
  covers: {
    type: nested<RecordPosition>({
      topic: { type: nonEmptyText, isRequired: true },
      partition: { type: offset, isRequired: true },
      offset: { type: offset, isRequired: true },
    }),
  },
  skip: { type: offset, default: 0 },
} satisfies OptionTable<RequestFilter>;

const ruleOptions = {
  ...filterOptions,
  times: { type: whole({ from: 1 }), default: Infinity },
  share: { type: matching(/^(100|\d?\d(\.\d+)?)%$/, 'a share from 0% to 100%, for example 5%') },
  error: { type: nonEmptyText },
  unlikely: { type: boolean, default: false },
  delay: { type: duration },
  cut: { type: choice('before', 'answer') },
  throttle: { type: duration },
  epoch: { type: whole({ from: 1, to: 2 ** 31 - 1 }) },
} satisfies OptionTable<FaultRule>;

const holdOptions = {
  ...filterOptions,
  at: { type: choice('request', 'answer'), isRequired: true },
} satisfies OptionTable<HoldPoint>;

const effects = ['error', 'delay', 'cut', 'throttle', 'epoch'] as const;

/** Returns the API of a rule. @throws BusbarError `invalid-option` for a rule that could never apply */
export function checkRule(rule: FaultRule, apis: readonly Api[]): Api {
  checkOptions<FaultRule>('faults.add()', ruleOptions, rule);
  const api = checkFilter(rule, apis);
  const { error, unlikely = false, share, throttle, epoch } = rule;
  if (effectOf(rule).length !== 2) throw objection(`Give exactly one of ${effects.map(quoted).join(', ')}.`);
  if (share !== undefined && (rule.skip ?? rule.times) !== undefined) {
    throw objection('Give either "share", or "skip" and "times".');
  }
  if (error !== undefined) checkError(error, api, unlikely);
  if (throttle !== undefined && !names(api.response).has('throttleTimeMs')) {
    throw objection(`The response of ${quoted(api.name)} has no throttle time.`);
  }
  if (epoch !== undefined && !names(api.response).has('leaderEpoch') && api.name !== 'Fetch') {
    throw objection(`The response of ${quoted(api.name)} carries no leader epoch.`);
  }
  return api;
}

/** Returns the effect of a rule and its value, for example `['error', 'NOT_COORDINATOR']`. */
export function effectOf(rule: FaultRule) {
  return effects.flatMap((effect) => (rule[effect] === undefined ? [] : [effect, rule[effect]]));
}

/** Returns the API of a hold. @throws BusbarError `invalid-option` for a point that no request reaches */
export function checkHold(point: HoldPoint, apis: readonly Api[]): Api {
  checkOptions<HoldPoint>('faults.hold()', holdOptions, point);
  return checkFilter(point, apis);
}

function checkFilter(filter: RequestFilter, apis: readonly Api[]): Api {
  const api = apis.find(({ name }) => name === filter.on);
  if (!api) {
    const known = apis.map(({ name }) => name);
    const hint = didYouMean(nearest(filter.on, known, 1)) || ` It serves: ${known.join(', ')}.`;
    throw objection(`The broker serves no API ${quoted(filter.on)}.${hint}`);
  }
  const fields = names(api.request);
  for (const [name, carriers] of Object.entries(carriersOf)) {
    if (filter[name as keyof typeof carriersOf] === undefined || carriers.some((each) => fields.has(each)))
      continue;
    throw objection(`A request of ${quoted(api.name)} has no ${name}. Remove the filter ${quoted(name)}.`);
  }
  if (filter.covers !== undefined && api.name !== 'OffsetCommit') {
    throw objection(`The filter "covers" selects commits. Use it with "on": "OffsetCommit".`);
  }
  return api;
}

/** The fields of requests that hold what a filter selects. */
const carriersOf = {
  group: ['groupId', 'groups', 'groupNames', 'coordinatorKeys'],
  topic: ['topics', 'topicNames'],
  partition: ['partitions'],
};

function checkError(error: string, api: Api, unlikely: boolean): void {
  const known: readonly string[] = errorsOf(api.name);
  const all: readonly string[] = kafkaErrors;
  if ((unlikely ? all : known).includes(error)) return;
  if (!all.includes(error)) {
    const hint = didYouMean(nearest(error, all, 1)) || ` Use one of ${known.join(', ')}.`;
    throw objection(`Kafka has no error ${quoted(error)}.${hint}`);
  }
  const advice = `Set "unlikely" to return it all the same, or use one of ${known.join(', ')}.`;
  throw objection(`Apache Kafka never returns ${quoted(error)} to ${quoted(api.name)}. ${advice}`);
}

/** Returns the names of all fields of a message. */
function names(fields: Fields): Set<string> {
  const inner = ({ type }: { readonly type: WireType }): string[] => {
    if (type.name === 'struct') return [...names(type.fields)];
    return type.name === 'array' ? inner({ type: type.of }) : [];
  };
  return new Set(Object.entries(fields).flatMap(([name, field]) => [name, ...inner(field)]));
}

function objection(message: string): BusbarError {
  return new BusbarError('invalid-option', message);
}
