const tokens =
  /(?<string>"(?:[^"\\\n]|\\(?:["\\/bfnrt]|u[\da-f]{4}))*")|(?<scalar>-?(?:0|[1-9]\d*)(?:\.\d+)?(?:e[+-]?\d+)?|true|false|null)|\S/gi;

/** The states of a reader by the token that it reads: what it expects next. */
const value = { string: 'end', scalar: 'end', '{': 'first key', '[': 'first item' };
const states: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  value,
  'first item': { ...value, ']': 'end' },
  'first key': { string: 'colon', '}': 'end' },
  key: { string: 'colon' },
  colon: { ':': 'value' },
  'after {': { ',': 'key', '}': 'end' },
  'after [': { ',': 'value', ']': 'end' },
};

/** Returns the line where a string stops being JSON, because the parser does not report it. */
export function brokenLine(text: string): number {
  const open: string[] = [];
  let state: string | undefined = 'value';
  for (const { 0: token, index, groups = {} } of text.matchAll(tokens)) {
    const kind = groups['string'] ? 'string' : groups['scalar'] ? 'scalar' : token;
    state = states[state === 'end' ? `after ${open.at(-1) ?? 'all'}` : state]?.[kind];
    if (state === undefined) return lineOf(text.slice(0, index));
    if (kind === '{' || kind === '[') open.push(kind);
    if (kind === '}' || kind === ']') open.pop();
  }
  return lineOf(text.trimEnd());
}

function lineOf(text: string): number {
  return text.split('\n').length;
}
