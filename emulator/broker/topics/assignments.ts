import { type Problem, rejection } from './problem.js';

/** Returns the problem with replicas that are not all on this one broker. */
export function assignmentProblem(
  assignments: readonly { readonly brokerIds: readonly number[] }[],
  nodeId: number,
): Problem | undefined {
  for (const { brokerIds } of assignments) {
    const flaw = flawOf(brokerIds, nodeId);
    if (flaw === undefined) continue;
    return rejection('invalidReplicaAssignment', `The manual partition assignment includes ${flaw}.`);
  }
  return undefined;
}

function flawOf(brokerIds: readonly number[], nodeId: number): string | undefined {
  if (brokerIds.length === 0) return 'an empty replica list';
  const unknown = brokerIds.find((id) => id !== nodeId);
  if (unknown !== undefined) return `broker ${unknown}, but no such broker is registered`;
  return brokerIds.length > 1 ? `the broker ${nodeId} more than once` : undefined;
}
