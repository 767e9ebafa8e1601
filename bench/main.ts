import { readdirSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { parseDuration } from '../emulator/engine/read-time.js';
import { against, type Compared } from './against.js';
import { isMet, type Measure, type Measured, textOf } from './measure.js';
import { hasTable, writeTable } from './write-page.js';

/** Benchmarks that take half an hour or have a page of their own. */
const slow = new Set(['population', 'scale', 'soak']);

const flags = '[--json] [--write] [--against REF] [--duration TIME]';

/**
 * `npm run bench -- <name>... [--json] [--write] [--against REF] [--duration TIME]`. To add a benchmark, export `measure`
 * from a file `bench/<name>.bench.ts`. `--write` puts the figures into docs/benchmarks.md. The name `all` writes all but the
 * `slow` ones. `--against` compares this tree with a commit, built in a temporary worktree.
 */
async function main(args: readonly string[]): Promise<number> {
  const known = readdirSync(import.meta.dirname)
    .filter((file) => file.endsWith('.bench.ts'))
    .map((file) => file.slice(0, -'.bench.ts'.length))
    .sort();
  const read = () =>
    parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        json: { type: 'boolean' },
        write: { type: 'boolean' },
        against: { type: 'string' },
        duration: { type: 'string' },
        help: { type: 'boolean' },
      },
    });
  const usage = `npm run bench -- <name>... ${flags}\nThere are: ${known.join(', ')}, or "all".\n`;
  let parsed: ReturnType<typeof read>;
  try {
    parsed = read();
  } catch (error) {
    process.stderr.write(`${(error as Error).message}\n${usage}`);
    return 2;
  }
  const { positionals, values } = parsed;
  if (values.help === true) {
    process.stdout.write(usage);
    return 0;
  }
  const isAll = positionals.length === 1 && positionals[0] === 'all';
  const names = isAll ? known.filter((name) => !slow.has(name)) : positionals;
  const unknown = names.find((name) => !known.includes(name));
  if (names.length === 0 || unknown !== undefined) {
    const problem = unknown === undefined ? 'Name a benchmark' : `Benchmark "${unknown}" does not exist`;
    process.stderr.write(`${problem}. ${usage}`);
    return 2;
  }
  if (values.against !== undefined) {
    for (const [name, compared] of await against(values.against, names)) {
      for (const one of compared) printComparison(name, one, values.json === true);
    }
    return 0;
  }
  const writes = isAll || values.write === true;
  const unwritable = writes ? names.find((name) => !hasTable(name)) : undefined;
  if (unwritable !== undefined) {
    const advice = 'Omit --write, or add a section';
    process.stderr.write(`docs/benchmarks.md has no table for "${unwritable}". ${advice}.\n`);
    return 2;
  }
  const print = values.json ? printJson : printRow;
  const duration = values.duration === undefined ? undefined : parseDuration('--duration', values.duration);
  for (const name of names) {
    const { measure } = (await import(`./${name}.bench.ts`)) as { measure: Measure };
    const rows: Measured[] = [];
    for await (const measured of measure({ duration })) {
      print(name, measured);
      rows.push(measured);
    }
    if (writes) writeTable(name, rows);
  }
  return 0;
}

function printJson(bench: string, measured: Measured): void {
  const ratio = Number(measured.ratio.toFixed(3));
  process.stdout.write(`${JSON.stringify({ bench, ...measured, ratio })}\n`);
}

function printRow(bench: string, measured: Measured): void {
  const { figure, bound } = textOf(measured);
  const verdict = isMet(measured) === undefined ? '' : isMet(measured) ? 'met' : 'MISSED';
  process.stdout.write(
    `${bench.padEnd(10)} ${measured.case.padEnd(34)} ${figure.padStart(14)}   ${bound.padEnd(17)} ${verdict}\n`,
  );
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
