/**
 * The text of a UUID, in lower case, of four 32-bit words; version and variant are up to the caller. Written into
 * bytes, because a string that is put together from pieces takes ten times the memory for as long as it is kept.
 */
export function formatUuid(first: number, second: number, third: number, fourth: number): string {
  write(0, first >>> 16);
  write(4, first);
  write(9, second >>> 16);
  write(14, second);
  write(19, third >>> 16);
  write(24, third);
  write(28, fourth >>> 16);
  write(32, fourth);
  return text.toString('latin1');
}

const text = Buffer.alloc(36, '-');
const digits = Buffer.from('0123456789abcdef');

/** Four digits: the lower half of the word. */
function write(at: number, word: number): void {
  text[at] = digits[(word >>> 12) & 15] as number;
  text[at + 1] = digits[(word >>> 8) & 15] as number;
  text[at + 2] = digits[(word >>> 4) & 15] as number;
  text[at + 3] = digits[word & 15] as number;
}
