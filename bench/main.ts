import { readdirSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { parseDuration } from '../emulator/engine/read-time.js';
import { against, type Compared } from './against.js';
import type { Measure, Measured } from './measure.js';

/**
 * `npm run bench -- <name>... [--json] [--against REF] [--duration TIME]`. To add a benchmark, export `measure` from a file
 * `bench/<name>.bench.ts`. `--against` compares this tree with a commit, built in a temporary worktree.
 */
async function main(args: readonly string[]): Promise<number> {
  const known = readdirSync(import.meta.dirname)
    .filter((file) => file.endsWith('.bench.ts'))
    .map((file) => file.slice(0, -'.bench.ts'.length))
    .sort();
  const { positionals: names, values } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: { json: { type: 'boolean' }, against: { type: 'string' }, duration: { type: 'string' } },
  });
  const unknown = names.find((name) => !known.includes(name));
  if (names.length === 0 || unknown !== undefined) {
    const problem = unknown === undefined ? 'Name a benchmark' : `Benchmark "${unknown}" does not exist`;
    process.stderr.write(`${problem}. There are: ${known.join(', ')}.\n`);
    return 2;
  }
  if (values.against !== undefined) {
    for (const [name, compared] of await against(values.against, names)) {
      for (const one of compared) printComparison(name, one, values.json === true);
    }
    return 0;
  }
  const print = values.json ? printJson : printRow;
  const duration = values.duration === undefined ? undefined : parseDuration('--duration', values.duration);
  for (const name of names) {
    const { measure } = (await import(`./${name}.bench.ts`)) as { measure: Measure };
    for await (const measured of measure({ duration })) print(name, measured);
  }
  return 0;
}

function printJson(bench: string, measured: Measured): void {
  const ratio = Number(measured.ratio.toFixed(3));
  process.stdout.write(`${JSON.stringify({ bench, ...measured, ratio })}\n`);
}

function printRow(bench: string, { case: name, ratio, target, unit = '', atLeast = false }: Measured): void {
  const digits = unit === '' ? 2 : 1;
  const isMet = target !== undefined && (atLeast ? ratio >= target : ratio <= target);
  const bound = `${atLeast ? '>=' : '<='} ${target?.toFixed(digits)} ${unit}`.padEnd(14);
  const verdict = target === undefined ? '' : `${bound} ${isMet ? 'met' : 'MISSED'}`;
  const figure = `${ratio.toFixed(digits)} ${unit}`.padStart(11);
  process.stdout.write(`${bench.padEnd(10)} ${name.padEnd(34)} ${figure}   ${verdict}\n`);
}

function printComparison(bench: string, { case: name, ...figures }: Compared, json: boolean): void {
  const [here, there, ratio] = [figures.here, figures.there, figures.ratio].map((each) => each.toFixed(3));
  process.stdout.write(
    json
      ? `${JSON.stringify({ bench, case: name, ...figures })}\n`
      : `${bench.padEnd(10)} ${name.padEnd(34)} ${ratio?.padStart(7)} of before   ${here} now, ${there} before\n`,
  );
}

process.exitCode = await main(process.argv.slice(2));
