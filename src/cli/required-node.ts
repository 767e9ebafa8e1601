/** The oldest version of Node that Busbar runs on. It equals the field `engines` of both packages. */
const [requiredMajor, requiredMinor] = [20, 19] as const;

/** Returns the problem if this version of Node is too old, for a user who would otherwise see an error of a dependency. */
export function oldNodeProblem(): string | undefined {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
  if (major > requiredMajor || (major === requiredMajor && minor >= requiredMinor)) return undefined;
  return `Node ${process.versions.node} is too old. Use Node ${requiredMajor}.${requiredMinor} or later.`;
}
