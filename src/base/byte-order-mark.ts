/** Returns a text without the byte order mark that editors on Windows write (RFC 3629, section 6). */
export function withoutByteOrderMark(text: string): string {
  return text.replace(/^\uFEFF/, '');
}
