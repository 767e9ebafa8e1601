import { readFileSync } from 'node:fs';
import { classOf, isError, propertyOf, userFrame } from 'busbar/base';
import type { OwnFrame, ShownError } from './causes.js';

/** Returns the facts of an error for a report. The first error in its chain of causes with a code or own frame wins. */
export function shownError(thrown: unknown): ShownError {
  const chain = causesWithin(thrown);
  const first = (name: string) =>
    chain.map((each) => propertyOf(each, name)).find((value) => typeof value === 'string' && value !== '');
  const [code, constraint, message] = ['code', 'constraint', 'message'].map(first) as (string | undefined)[];
  const at = chain.map(userFrame).find((frame) => frame !== undefined);
  return {
    kind: classOf(thrown),
    ...(code !== undefined && { code }),
    ...(constraint !== undefined && { constraint }),
    ...(message !== undefined && { message: message.slice(0, maxMessage) }),
    ...(at !== undefined && { frame: frameAt(at) }),
  };
}

/** Longest message that a report shows. */
const maxMessage = 500;

function causesWithin(thrown: unknown): unknown[] {
  const chain: unknown[] = [];
  for (let each = thrown; isError(each) && chain.length < 5; each = propertyOf(each, 'cause'))
    chain.push(each);
  return chain;
}

/** Returns the frame with its source lines. @param at Position, e.g. `src/accounts.ts:18:9`. */
export function frameAt(at: string): OwnFrame {
  const [, file = '', row] = /^(.*):(\d+):\d+$/.exec(at) ?? [];
  try {
    const source = readFileSync(file, 'utf8').split('\n');
    const numbers = [Number(row) - 1, Number(row), Number(row) + 1].filter((number) => number in source);
    const lines = numbers.map((number) => ({ number, text: (source[number - 1] ?? '').slice(0, maxLine) }));
    return { at, lines: lines.filter(({ number }) => number > 0) };
  } catch {
    return { at, lines: [] };
  }
}

/** Longest line that a report shows: bundled code has long ones. */
const maxLine = 160;
