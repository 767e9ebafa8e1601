import { whole } from 'busbar/base';
import { type Console, defineCommand, jsonFlag } from 'busbar/internal/command-line';
import { calibrate } from '../calibrate/calibrate.js';
import type { Judged } from '../calibrate/judge.js';
import { cellsPerWorld } from '../world/identifiers.js';
import { worldOf } from './emulate.js';

export const command = defineCommand({
  flags: {
    accounts: {
      type: whole({ from: 1, to: cellsPerWorld - 1 }),
      default: 5_000,
      value: '<n>',
      text: 'Accounts in the population',
    },
    days: { type: whole({ from: 1, to: 3_650 }), default: 63, value: '<n>', text: 'Days of virtual time' },
    seed: { type: whole(), default: 1, value: '<n>', text: 'Same seed, same bytes' },
    json: jsonFlag,
  },
  examples: ['calibrate --accounts 2000'],
  run: runCalibrate,
});

/** Runs `emulate calibrate`: measures a population against every target. A missed target sets the exit code to 1. */
async function runCalibrate(
  {
    accounts = 5_000,
    days = 63,
    seed = 1,
    json = false,
  }: { accounts?: number; days?: number; seed?: number; json?: boolean },
  console: Console,
): Promise<void> {
  let seen = '';
  const hideProgress = console.progress(() => seen);
  const judged = await calibrate({
    accounts,
    days,
    seed,
    world: worldOf(console),
    catalogue: await console.catalogue(),
    onProgress(read, events) {
      seen = `${read.toLocaleString('en')} accounts read, ${events.toLocaleString('en')} events`;
    },
  });
  hideProgress();
  for (const each of judged) console.write(`${json ? JSON.stringify(each) : lineOf(each)}\n`);
  const missed = judged.filter(({ verdict }) => verdict !== 'met').length;
  if (!json) console.write(`\n${judged.length - missed} of ${judged.length} met.\n`);
  if (missed > 0) process.exitCode = 1;
}

function lineOf({ number, target, name, value, tolerance, unit, ...judged }: Judged): string {
  const { measured, allowance, verdict, note, source, mark } = judged;
  const what = `${String(number).padStart(2)} ${name === undefined ? target : `${target}: ${name}`}`;
  if (verdict === 'not run') return `NOT RUN: ${what}: ${note}`;
  const sample = allowance === 0 ? '' : ` ±${shown(allowance)}`;
  return [
    verdict === 'met' ? '✓' : '✗',
    what.padEnd(62),
    `${shown(measured as number).padStart(8)} ${note ?? ''}`,
    `(${shown(value)} ±${shown(tolerance)}${sample} ${unit}; ${source} ${mark})`,
  ].join(' ');
}

function shown(value: number): string {
  return String(Number(value.toPrecision(value >= 1000 ? 5 : 3)));
}
