import { callback, choice, either, type OptionTable } from './base/options.js';
import { BusbarError } from './base/errors.js';
import type { EventKey } from './envelope/envelope.js';
import type { ConsumerRecord } from './transports/transport.js';
import { quoted } from './base/quoted.js';
import type { RecordProblem } from './verdict.js';

/**
 * What is done with a record that no handler gets. `ignore` and `warn` settle it, `dead-letter` sets it aside and
 * settles it, `fail` ends the run and leaves it unsettled.
 */
export type PolicyAction = 'ignore' | 'warn' | 'dead-letter' | 'fail';

/** An action, or a function that chooses one. The function must not throw: that ends the run. */
export type Policy = PolicyAction | ((problem: Problem) => PolicyAction);

/** What a policy function is asked about. */
export interface Problem {
  readonly reason: 'unhandled' | RecordProblem;
  /** Says what is wrong, without payload values. */
  readonly error: BusbarError;
  readonly record: ConsumerRecord;
  /** The event's name, where it could be read. */
  readonly event: EventKey | undefined;
}

export interface Policies {
  /** The catalogue has no such event. Default `warn`, once per name. */
  readonly unknownEvents?: Policy;
  /** The catalogue has it, and no handler wants it. Default `ignore`; `warn` warns once per name. */
  readonly unhandledEvents?: Policy;
  /** The payload does not match its schema. Default `dead-letter` where the transport has dead letters, else `warn`. */
  readonly invalidEvents?: Policy;
  /** Not an event in the expected wire format. Default as for `invalidEvents`. */
  readonly undecodableRecords?: Policy;
}

const actions = ['ignore', 'warn', 'dead-letter', 'fail'] as const satisfies PolicyAction[];
const policy = { type: either(choice(...actions), callback) };

/** {@link Policies}, as a table. */
export const policyOptions = {
  unknownEvents: policy,
  unhandledEvents: policy,
  invalidEvents: policy,
  undecodableRecords: policy,
} satisfies OptionTable<Policies>;

/** The policy for each reason, all filled in. */
export type ResolvedPolicies = Readonly<Record<Problem['reason'], Policy>>;

/**
 * Fills in the defaults of policies that were checked.
 * @throws BusbarError `no-dead-letters` where a policy names dead letters and there are none.
 */
export function resolvePolicies(policies: Policies, hasDeadLetters: boolean): ResolvedPolicies {
  for (const [name, policy] of Object.entries(policies) as [string, Policy | undefined][]) {
    if (policy === 'dead-letter' && !hasDeadLetters) {
      throw new BusbarError(
        'no-dead-letters',
        `Policy "${name}" is "dead-letter", but the transport has no dead letters. Choose "warn", "fail" or a function.`,
      );
    }
  }
  const broken = hasDeadLetters ? 'dead-letter' : 'warn';
  return {
    unknown: policies.unknownEvents ?? 'warn',
    unhandled: policies.unhandledEvents ?? 'ignore',
    invalid: policies.invalidEvents ?? broken,
    undecodable: policies.undecodableRecords ?? broken,
  };
}

/** What the policy wants done. @throws BusbarError `invalid-option` when a function answers something else. */
export function chooseAction(policy: Policy, problem: Problem): PolicyAction {
  if (typeof policy !== 'function') return policy;
  const action = policy(problem);
  if (actions.includes(action)) return action;
  throw new BusbarError(
    'invalid-option',
    `The policy function for ${problem.reason} records must return one of ${actions.map(quoted).join(', ')}.`,
  );
}
