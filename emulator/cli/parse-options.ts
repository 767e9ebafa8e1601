import { BusbarError } from '../../src/base/errors.js';
import type { Shard } from '../run/shard.js';

export { parseDuration, parseInstant } from '../engine/read-time.js';

/** `2%` or `0.02`. */
export function parseShare(option: string, text: string): number {
  const [, amount, percent] = /^(\d+(?:\.\d+)?)(%)?$/.exec(text) ?? [];
  const share = Number(amount) / (percent === undefined ? 1 : 100);
  if (share <= 1) return share;
  throw wrong(option, 'a share, as 2% or 0.02', text);
}

/** `500/s` or `500`. */
export function parseRate(text: string): number {
  const rate = /^(\d+(?:\.\d+)?)(?:\/s)?$/.exec(text)?.[1];
  if (rate === undefined) throw wrong('rate', 'events a second, as 500/s', text);
  return Number(rate);
}

export function parseShard(text: string): Shard {
  const [, index, count] = /^(\d+)\/(\d+)$/.exec(text) ?? [];
  if (index === undefined) throw wrong('shard', 'a part and a number of parts, as 2/4', text);
  return { index: Number(index), count: Number(count) };
}

/** `occupier=unknown` */
export function parseBranch(text: string): [branch: string, outcome: string] {
  const separator = text.indexOf('=');
  if (separator <= 0) throw wrong('branch', 'BRANCH=OUTCOME, as occupier=unknown', text);
  return [text.slice(0, separator), text.slice(separator + 1)];
}

/** `500kB`, `100MB`, `2GB` or bytes, in bytes. */
export function parseSize(option: string, text: string): number {
  const [, amount, unit] = /^(\d+)(B|kB|MB|GB)?$/.exec(text) ?? [];
  if (amount === undefined) throw wrong(option, 'a size, as 100MB', text);
  return Number(amount) * { B: 1, kB: 1e3, MB: 1e6, GB: 1e9 }[(unit ?? 'B') as 'B' | 'kB' | 'MB' | 'GB'];
}

function wrong(option: string, wanted: string, text: string): BusbarError {
  return new BusbarError('invalid-option', `Option "${option}" takes ${wanted}, not "${text}".`);
}
