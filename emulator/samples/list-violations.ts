import type { Violation } from 'busbar/catalogue';

/** Returns the first violations of a payload for a message. */
export function listViolations(violations: readonly Violation[]): string {
  return violations
    .slice(0, 5)
    .map(({ pointer, rule, message }) => `"${pointer || 'payload'}" ${message} (rule "${rule}")`)
    .join('; ');
}
