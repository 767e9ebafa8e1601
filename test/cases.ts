import { appendFileSync } from 'node:fs';

const times = Number(process.env['BUSBAR_ALL_CASES'] ?? 0);

/** Whether `npm run test:fuzz` plays this file. It finds the files that have more for it by their import of this one. */
export const playsAll = times > 0;

/** The number of cases that a test plays: `few` in `npm test`, `all` in `npm run test:fuzz`, or as many times as it says. */
export function cases(few: number, all: number): number {
  const count = playsAll ? all * times : few;
  const log = process.env['BUSBAR_CASES_LOG'];
  if (log !== undefined) appendFileSync(log, `${callingTest()}\t${count}\n`);
  return count;
}

function callingTest(): string {
  return /test\/(\S+\.test\.ts)/.exec(new Error().stack ?? '')?.[1] ?? 'unknown';
}
