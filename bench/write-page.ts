import { readFileSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { isMet, type Measured, textOf } from './measure.js';

const page = join(import.meta.dirname, '../docs/benchmarks.md');
const versionOf = (file: string) => (JSON.parse(readFileSync(file, 'utf8')) as { version: string }).version;

/**
 * Replaces the table of a benchmark in docs/benchmarks.md, and the versions that the page states.
 *
 * @throws Error if the page has no section of that name
 */
export function writeTable(name: string, rows: readonly Measured[]): void {
  const table = new RegExp(
    `(\n## ${name}\n(?:(?!\n## )[^])*?\n)(?:(?:\\|.*\n)+|Not measured for this version\\.\n)`,
  );
  const before = readFileSync(page, 'utf8');
  if (!table.test(before)) throw new Error(`${page} has no section "${name}" with a table. Add one.`);
  const lines = ['| Case | Figure | Target | |', '|---|---|---|---|', ...rows.map(lineOf)];
  writeFileSync(
    page,
    before
      .replace(table, (_all, head: string) => `${head}${lines.join('\n')}\n`)
      .replace(/^Measured with .*$/m, `Measured with ${versions()}.`),
  );
}

function lineOf(measured: Measured): string {
  const { figure, bound } = textOf(measured);
  const verdict = isMet(measured) === undefined ? '' : isMet(measured) ? 'met' : '**missed**';
  return `| ${measured.case} | ${figure} | ${bound} | ${verdict} |`;
}

function versions(): string {
  const root = join(import.meta.dirname, '..');
  const busbar = versionOf(join(root, 'package.json'));
  const kafkajs = versionOf(join(root, 'node_modules/kafkajs/package.json'));
  const { platform, arch, versions } = process;
  return `Busbar ${busbar}, kafkajs ${kafkajs}, Node ${versions.node}, ${platform} ${arch}, ${availableParallelism()} processors`;
}
