import type { RandomStream } from '../engine/random.js';

/**
 * Returns a text that the regular expression matches. Supports literals, classes, groups, alternatives and counts;
 * returns undefined for other features, for example look-around, or if the result does not match.
 */
export function textMatching(pattern: string, random: RandomStream): string | undefined {
  const reader = { rest: Array.from(pattern), depth: 0 };
  const text = alternatives(reader, random);
  if (text === undefined || reader.rest.length > 0) return undefined;
  return new RegExp(pattern, 'u').test(text) ? text : undefined;
}

interface Reader {
  readonly rest: string[];
  depth: number;
}

/** Maximum of an unbounded count. */
const most = 5;
const deepest = 50;

function alternatives(reader: Reader, random: RandomStream): string | undefined {
  if (++reader.depth > deepest) return undefined;
  const choices: string[] = [];
  do {
    const choice = sequence(reader, random);
    if (choice === undefined) return undefined;
    choices.push(choice);
  } while (take(reader, '|'));
  reader.depth--;
  return random.pick(choices);
}

function sequence(reader: Reader, random: RandomStream): string | undefined {
  let text = '';
  while (reader.rest.length > 0 && reader.rest[0] !== '|' && reader.rest[0] !== ')') {
    if (take(reader, '^') || take(reader, '$')) continue;
    const before = [...reader.rest];
    const once = atom(reader, random);
    if (once === undefined) return undefined;
    const consumed = before.slice(0, before.length - reader.rest.length);
    const [least, greatest] = count(reader);
    const times = random.integer(least, greatest);
    for (let i = 0; i < times; i++) {
      text += i === 0 ? once : (atom({ rest: [...consumed], depth: reader.depth }, random) ?? '');
    }
  }
  return text;
}

function atom(reader: Reader, random: RandomStream): string | undefined {
  const next = reader.rest.shift();
  switch (next) {
    case undefined:
      return undefined;
    case '(': {
      if (take(reader, '?')) {
        if (!take(reader, ':')) return undefined;
      }
      const text = alternatives(reader, random);
      return take(reader, ')') ? text : undefined;
    }
    case '[':
      return characterClass(reader, random);
    case '.':
      return 'x';
    case '\\':
      return escaped(reader.rest.shift(), random);
    default:
      return next;
  }
}

function escaped(letter: string | undefined, random: RandomStream): string | undefined {
  const set = letter === undefined ? undefined : sets[letter];
  if (set !== undefined) return random.pick(Array.from(set));
  // Other escaped letters and digits have special meanings.
  return letter === undefined || /[A-Za-z0-9]/.test(letter) ? undefined : letter;
}

function characterClass(reader: Reader, random: RandomStream): string | undefined {
  const isNegated = take(reader, '^');
  const members: string[] = [];
  for (;;) {
    let from = reader.rest.shift();
    if (from === undefined) return undefined;
    if (from === ']') break;
    if (from === '\\') {
      from = reader.rest.shift() ?? '';
      const set = sets[from];
      if (set !== undefined) {
        members.push(...Array.from(set));
        continue;
      }
    }
    if (reader.rest[0] === '-' && reader.rest[1] !== ']') {
      reader.rest.shift();
      const to = reader.rest.shift() ?? from;
      for (let code = from.codePointAt(0) ?? 0; code <= (to.codePointAt(0) ?? 0); code++) {
        members.push(String.fromCodePoint(code));
        if (members.length > 1000) return undefined;
      }
    } else members.push(from);
  }
  const allowed = isNegated ? Array.from(printable).filter((each) => !members.includes(each)) : members;
  return allowed.length > 0 ? random.pick(allowed) : undefined;
}

function count(reader: Reader): [number, number] {
  if (take(reader, '?')) return [0, 1];
  if (take(reader, '*')) return [0, most];
  if (take(reader, '+')) return [1, most];
  const [, least, comma, greatest] = /^\{(\d+)(,?)(\d*)\}/.exec(reader.rest.slice(0, 20).join('')) ?? [];
  if (least === undefined) return [1, 1];
  reader.rest.splice(0, reader.rest.indexOf('}') + 1);
  const lowest = Math.min(Number(least), 1000);
  if (comma === '') return [lowest, lowest];
  return [lowest, greatest === '' ? lowest + most : Math.min(Number(greatest), lowest + 1000)];
}

function take({ rest }: Reader, character: string): boolean {
  if (rest[0] !== character) return false;
  rest.shift();
  return true;
}

const digits = '0123456789';
const letters = 'abcdefghijklmnopqrstuvwxyz';
const printable = `${letters}${digits}-_.`;
const sets: Readonly<Record<string, string>> = {
  d: digits,
  w: `${letters}${digits}_`,
  s: ' ',
  D: letters,
  W: '-.',
  S: letters + digits,
};
