/** Whether a number is finite, and no integer that JavaScript may have rounded. */
export function isExact(value: number): boolean {
  return Number.isFinite(value) && (!Number.isInteger(value) || Number.isSafeInteger(value));
}

/** Parses JSON. @throws Error for text that is not JSON, and for a number that would be rounded */
export function parseExactly(text: string): unknown {
  return JSON.parse(text, (_, value: unknown) => {
    if (typeof value === 'number' && !isExact(value)) {
      throw new Error(
        'An integer above 9007199254740991 would be rounded. Use a string or a smaller number.',
      );
    }
    return value;
  });
}
