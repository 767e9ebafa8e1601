/** The user wrote something that the command cannot make sense of: one line, and exit code 2. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}
