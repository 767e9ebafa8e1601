const maxLength = 120;

/** Returns a name for a message: in quotes, with control characters escaped, truncated after 120 characters. */
export function quoted(name: string): string {
  return JSON.stringify(name.length > maxLength ? `${name.slice(0, maxLength)}...` : name);
}
