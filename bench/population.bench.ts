import { fork } from 'node:child_process';
import { messagesOf } from './child-messages.js';
import type { Measured } from './measure.js';
import type { DayPlayed } from './population/play.js';

const accounts = Number(process.env['POPULATION_ACCOUNTS'] ?? 1_000_000);
const days = Number(process.env['POPULATION_DAYS'] ?? 30);

/**
 * Measures the memory of a large population over a month of `everyday`, day by day. It takes most of an hour of one
 * core; `POPULATION_ACCOUNTS` and `POPULATION_DAYS` shorten it. The heap limit makes Node collect garbage early: it would
 * otherwise let garbage grow to several gigabytes.
 */
export async function* measure(): AsyncIterable<Measured> {
  const player = fork(new URL('./population/play.ts', import.meta.url), [String(accounts), String(days)], {
    execArgv: [...process.execArgv, '--max-old-space-size=1200'],
  });
  let last: DayPlayed | undefined;
  for await (const played of messagesOf<DayPlayed>(player)) {
    yield { case: `day ${played.day}: memory`, ratio: played.memory, unit: 'MiB' };
    yield { case: `day ${played.day}: events`, ratio: played.events - (last?.events ?? 0) };
    yield { case: `day ${played.day}: user time`, ratio: played.cpu - (last?.cpu ?? 0), unit: 's' };
    last = played;
  }
  if (last?.day !== days) throw new Error(`The population ended on day ${last?.day ?? 0} of ${days}.`);
  yield { case: `${days} days: the most memory`, ratio: last.mostMemory, unit: 'MiB', target: 1500 };
}
