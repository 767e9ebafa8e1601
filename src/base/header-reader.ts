/** Returns functions that read headers with a prefix: `text` as text, `count` as a whole number. */
export function headerReader(headers: { get(name: string): Uint8Array | undefined }, prefix: string) {
  const text = (name: string): string | undefined => {
    const value = headers.get(prefix + name);
    return value && Buffer.from(value).toString();
  };
  const count = (name: string): number | undefined => {
    const digits = text(name);
    return digits !== undefined && /^-?\d{1,16}$/.test(digits) ? Number(digits) : undefined;
  };
  return { text, count };
}
