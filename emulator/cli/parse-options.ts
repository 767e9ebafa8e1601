import { BusbarError } from '../../src/errors.js';
import { day, hour, type Instant, minute, second } from '../engine/time.js';
import type { Shard } from '../run/shard.js';

/** RFC 3339, or a date, which begins at midnight UTC. */
export function parseInstant(option: string, text: string): Instant {
  const isInstant = /^\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:\d\d))?$/.test(text);
  const at = isInstant ? Date.parse(text) : Number.NaN;
  if (!Number.isNaN(at)) return at;
  throw wrong(option, 'an instant, as 2026-03-02T09:00:00Z or 2026-03-02', text);
}

/** An ISO 8601 duration of weeks, days, hours, minutes and seconds, in milliseconds. */
export function parseDuration(option: string, text: string): number {
  const parts = /^P(?=.)(?:(\d+)W)?(?:(\d+)D)?(?:T(?=.)(?:(\d+)H)?(?:(\d+)M)?(?:(\d+)S)?)?$/.exec(text);
  if (parts === null) throw wrong(option, 'an ISO 8601 duration, as P7D or PT12H', text);
  const units = [7 * day, day, hour, minute, second];
  return units.reduce((sum, unit, index) => sum + unit * Number(parts[index + 1] ?? 0), 0);
}

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
