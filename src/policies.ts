import { callback, choice, either, type OptionTable, withDefaults } from './base/options.js';
import { BusbarError, quoted } from './base/errors.js';
import type { EventKey } from './envelope/envelope.js';
import type { ConsumerRecord } from './transports/transport.js';
import type { RecordProblem } from './verdict.js';

/**
 * Action for a record that no handler receives. `ignore` and `warn` settle it, `dead-letter` dead-letters it, `fail`
 * ends the run and leaves it unsettled.
 */
export type PolicyAction = 'ignore' | 'warn' | 'dead-letter' | 'fail';

/** An action, or a function that chooses one. The function must not throw: an error ends the run. */
export type Policy = PolicyAction | ((problem: Problem) => PolicyAction);

/** A record that no handler receives; the argument of a policy function. */
export interface Problem {
  readonly reason: 'unhandled' | RecordProblem;
  /** The problem, without payload values. */
  readonly error: BusbarError;
  readonly record: ConsumerRecord;
  /** Name of the event; undefined where it could not be read. */
  readonly event: EventKey | undefined;
}

/** Policies for the records that no handler receives. */
export interface Policies {
  /** Events that the catalogue does not have. Default `warn`, once per name. */
  readonly unknownEvents?: Policy;
  /** Events of the catalogue that have no handler. Default `ignore`; `warn` warns once per name. */
  readonly unhandledEvents?: Policy;
  /** Events that do not match their schema. Default `dead-letter` where the transport has dead letters, else `warn`. */
  readonly invalidEvents?: Policy;
  /** Records that are not events in the expected wire format. Default as for `invalidEvents`. */
  readonly undecodableRecords?: Policy;
}

const actions = ['ignore', 'warn', 'dead-letter', 'fail'] as const satisfies PolicyAction[];
const policy = { type: either(choice(...actions), callback) };

/** Option table of {@link Policies}. */
export const policyOptions = {
  unknownEvents: { ...policy, default: 'warn' },
  unhandledEvents: { ...policy, default: 'ignore' },
  invalidEvents: policy,
  undecodableRecords: policy,
} satisfies OptionTable<Policies>;

/** The policy for each reason, with defaults applied. */
export type ResolvedPolicies = Readonly<Record<Problem['reason'], Policy>>;

/**
 * Applies the defaults.
 * @throws BusbarError `no-dead-letters` where a policy names dead letters and there are none.
 */
export function resolvePolicies(policies: Policies, hasDeadLetters: boolean): ResolvedPolicies {
  for (const [name, policy] of Object.entries(policies) as [string, Policy | undefined][]) {
    if (policy === 'dead-letter' && !hasDeadLetters) {
      throw new BusbarError(
        'no-dead-letters',
        `Policy "${name}" is "dead-letter", but the transport or dispatch() has no dead letters. Choose "warn", "fail" or a function.`,
      );
    }
  }
  const broken = hasDeadLetters ? 'dead-letter' : 'warn';
  const { unknownEvents: unknown, unhandledEvents: unhandled } = withDefaults(policyOptions, policies);
  return {
    unknown,
    unhandled,
    invalid: policies.invalidEvents ?? broken,
    undecodable: policies.undecodableRecords ?? broken,
  };
}

/** Returns the action of the policy. @throws BusbarError `invalid-option` when a function returns something else. */
export function chooseAction(policy: Policy, problem: Problem): PolicyAction {
  if (typeof policy !== 'function') return policy;
  const action = policy(problem);
  if (actions.includes(action)) return action;
  throw new BusbarError(
    'invalid-option',
    `The policy function for ${problem.reason} records returned no action. Return one of ${actions.map(quoted).join(', ')}.`,
  );
}
