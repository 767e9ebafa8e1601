/** Shows control and bidirectional characters as escapes: they would hide or reorder the text around them. */
export function visible(text: string): string {
  return text.replace(
    /(?!\u200c|\u200d)[\p{Cc}\p{Cf}\u2028\u2029]/gu,
    (character) => `\\u${(character.codePointAt(0) ?? 0).toString(16).padStart(4, '0')}`,
  );
}

/** As `visible()`, for text of several lines. */
export function visibleLines(text: string): string {
  return text.split('\n').map(visible).join('\n');
}
