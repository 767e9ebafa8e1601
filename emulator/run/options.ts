import {
  anything,
  boolean,
  callback,
  choice,
  either,
  instantNumber,
  listOf,
  nested,
  nonEmptyText,
  number,
  objectWith,
  type OptionTable,
  recordOf,
  text,
  type ValueType,
  whole,
} from 'busbar/base';
import type { Instant } from '../engine/time.js';
import type { SampleOptions } from '../samples/sampler.js';
import { cellsPerWorld } from '../world/identifiers.js';
import { defaultRoom } from '../world/integer-ids.js';
import type { PaceOptions } from './pace.js';
import type { PlanOptions } from './plan.js';
import type { ReplayOptions } from './recording/replay.js';
import { buckets, type Shard } from './shard.js';
import type { TriggerOptions } from './trigger.js';
import { variations } from './vary/variations.js';

/** Files that a run writes. */
export interface KeepOptions {
  /** Path of a new recording, which can be replayed and resumed. Default none. */
  readonly record?: string;
  /** Path of the recording of an interrupted run with the same options. The run resumes and continues the recording. Default none. */
  readonly resume?: string;
  /** Path of a fault log, one JSON object per line. Default none. */
  readonly faultLog?: string;
}

/** Options of an input that starts a scenario. */
export interface StartOptions {
  /** Number of an account in the cell. Default: a new cell. */
  readonly account?: string;
  /** Outcomes of branches, instead of drawn ones. */
  readonly branches?: Readonly<Record<string, string>>;
  /** Data for `parseInput` of the scenario. */
  readonly data?: unknown;
  /** Virtual start time. Default: now. */
  readonly at?: Instant;
}

/** Changes for the next run. Options that are left out keep their values. */
export interface ResetOptions
  extends PaceOptions,
    Pick<PlanOptions, 'seed' | 'scenario' | 'instances' | 'accounts' | 'branches' | 'runId' | 'faults'> {
  /** Whether the next run starts paused. Default false. */
  readonly paused?: boolean;
}

const scenarioType = either(nonEmptyText, objectWith('a scenario made by defineScenario()', 'run'));
const branchesType = recordOf(nonEmptyText);

export const planOptions = {
  scenario: { type: either(scenarioType, listOf(scenarioType)) },
  scenarios: { type: listOf(scenarioType) },
  seed: { type: whole(), default: 1 },
  instances: { type: whole({ from: 1, to: cellsPerWorld - 1 }), default: 1 },
  accounts: { type: whole({ from: 1, to: cellsPerWorld - 1 }), default: 1_000 },
  room: { type: whole({ from: 0, to: cellsPerWorld - 1 }), default: defaultRoom },
  mix: { type: objectWith('an object with shares in per mille') },
  rates: { type: recordOf(number({ from: 0 })) },
  start: {
    type: whole({ from: Date.UTC(2016, 0, 1), to: Date.UTC(2100, 0, 1) }),
    unit: 'milliseconds since 1970',
  },
  until: { type: number({ orInfinity: true }), unit: 'milliseconds since 1970' },
  duration: { type: number({ above: 0, orInfinity: true }), unit: 'milliseconds' },
  branches: { type: branchesType },
  runId: { type: text },
  shard: {
    type: nested<Shard>({
      index: { type: whole({ from: 1, to: buckets }), isRequired: true },
      count: { type: whole({ from: 1, to: buckets }), isRequired: true },
    }),
  },
  versions: { type: choice('all', 'latest'), default: 'all' },
  faults: { type: either(text, objectWith('an object with rates by fault')) },
  maskFaults: { type: callback },
  vary: { type: listOf(choice(...variations)) },
  inputs: { type: listOf(objectWith('an input')) },
} satisfies OptionTable<PlanOptions>;

export const paceOptions = {
  speed: { type: either(choice('instant', 'story'), number({ above: 0, to: 1e15 })), default: 'story' },
  rate: { type: number({ above: 0 }) },
} satisfies OptionTable<PaceOptions>;

export const keepOptions = {
  record: { type: nonEmptyText },
  resume: { type: nonEmptyText },
  faultLog: { type: nonEmptyText },
} satisfies OptionTable<KeepOptions>;

export const replayOptions = {
  from: { type: instantNumber, unit: 'milliseconds since 1970' },
  until: { type: instantNumber, unit: 'milliseconds since 1970' },
  only: { type: listOf(nonEmptyText) },
  account: { type: listOf(nonEmptyText) },
  skipBroken: { type: boolean, default: false },
} satisfies OptionTable<ReplayOptions>;

export const startOptions = {
  account: { type: nonEmptyText },
  branches: { type: branchesType },
  data: { type: anything },
  at: { type: instantNumber, unit: 'milliseconds since 1970' },
} satisfies OptionTable<StartOptions>;

const { seed, scenario, instances, accounts, branches, runId, faults } = planOptions;

export const resetOptions = {
  ...paceOptions,
  ...{ seed, scenario, instances, accounts, branches, runId, faults },
  paused: { type: boolean, default: false },
} satisfies OptionTable<ResetOptions>;

export const sampleOptions = {
  nth: { type: whole({ from: 0 }) },
  fields: { type: choice('usual', 'minimal', 'full'), default: 'usual' },
} satisfies OptionTable<Pick<SampleOptions, 'nth' | 'fields'>>;

const json: ValueType = {
  expected: 'JSON',
  accepts: (value) => !/function|symbol|bigint/.test(typeof value),
};
const fieldList = { type: listOf(nonEmptyText), isSecret: true } as const;

export const triggerOptions = {
  count: { type: whole({ from: 1, to: 1_000 }), default: 1 },
  payload: { type: json, isSecret: true },
  key: { type: text, isSecret: true },
  at: { type: instantNumber, unit: 'milliseconds since 1970' },
  set: fieldList,
  unset: fieldList,
  invalid: fieldList,
  validate: { type: boolean, default: true },
} satisfies OptionTable<TriggerOptions>;
