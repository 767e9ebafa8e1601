import { readdirSync } from 'node:fs';
import type { Measure, Measured } from './measure.js';

/**
 * `npm run bench -- <name>... [--json]`. A benchmark is a file `bench/<name>.bench.ts` that exports `measure`; that is
 * all there is to adding one.
 */
async function main(args: readonly string[]): Promise<number> {
  const known = readdirSync(import.meta.dirname)
    .filter((file) => file.endsWith('.bench.ts'))
    .map((file) => file.slice(0, -'.bench.ts'.length))
    .sort();
  const names = args.filter((arg) => arg !== '--json');
  const unknown = names.find((name) => !known.includes(name));
  if (names.length === 0 || unknown !== undefined) {
    const problem = unknown === undefined ? 'Name a benchmark' : `There is no benchmark "${unknown}"`;
    process.stderr.write(`${problem}. There are: ${known.join(', ')}.\n`);
    return 2;
  }
  const print = args.includes('--json') ? printJson : printRow;
  for (const name of names) {
    const { measure } = (await import(`./${name}.bench.ts`)) as { measure: Measure };
    for await (const measured of measure()) print(name, measured);
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

process.exitCode = await main(process.argv.slice(2));
