/** Returns a function that matches text with a pattern, in which `*` matches any text. Takes linear time. */
export function matcherOf(pattern: string): (type: string) => boolean {
  const [head = '', ...rest] = pattern.split('*');
  const tail = rest.pop();
  if (tail === undefined) return (type) => type === pattern;
  return (type) => {
    if (!type.startsWith(head)) return false;
    let from = head.length;
    for (const piece of rest) {
      const at = type.indexOf(piece, from);
      if (at === -1) return false;
      from = at + piece.length;
    }
    return type.length - tail.length >= from && type.endsWith(tail);
  };
}
