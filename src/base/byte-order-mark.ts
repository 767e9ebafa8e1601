/** Returns a string without the byte order mark that editors on Windows write (RFC 3629, section 6). */
export function withoutByteOrderMark(text: string): string {
  return text.replace(/^\uFEFF/, '');
}

/** Whether a string that was read as UTF-8 is UTF-16, which some editors and shells on Windows write. */
export function isUtf16(text: string): boolean {
  return /^(?:\uFFFD\uFFFD|.?\0[^\0])/.test(text);
}
