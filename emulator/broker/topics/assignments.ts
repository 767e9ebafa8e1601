/** Why replicas cannot be placed as asked; undefined when all are on the one broker that there is. */
export function assignmentProblem(
  assignments: readonly { readonly brokerIds: readonly number[] }[],
  nodeId: number,
): string | undefined {
  for (const { brokerIds } of assignments) {
    if (brokerIds.length === 0) return 'The manual partition assignment includes an empty replica list.';
    const unknown = brokerIds.find((id) => id !== nodeId);
    if (unknown !== undefined) {
      return `The manual partition assignment includes broker ${unknown}, but no such broker is registered.`;
    }
    if (brokerIds.length > 1)
      return `The manual partition assignment includes the broker ${nodeId} more than once.`;
  }
  return undefined;
}
