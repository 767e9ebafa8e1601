const longest = 120;

/**
 * A name from outside, fit for a message: in quotes, cut after 120 characters, on one line, without control
 * characters.
 */
export function quoted(name: string): string {
  return JSON.stringify(name.length > longest ? `${name.slice(0, longest)}...` : name);
}
