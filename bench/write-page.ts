import { readFileSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { isMet, type Measured, textOf } from './measure.js';

const page = join(import.meta.dirname, '../docs/benchmarks.md');
const versionOf = (file: string) => (JSON.parse(readFileSync(file, 'utf8')) as { version: string }).version;

/** Whether docs/benchmarks.md has a section for a benchmark. */
export function hasTable(name: string): boolean {
  return tableOf(name).test(readFileSync(page, 'utf8'));
}

/** Replaces the table of a benchmark in docs/benchmarks.md, and the versions that the page states. */
export function writeTable(name: string, rows: readonly Measured[]): void {
  const lines = ['| Case | Figure | Target | |', '|---|---|---|---|', ...rows.map(lineOf)];
  const written = readFileSync(page, 'utf8')
    .replace(tableOf(name), (_all, head: string) => `${head}${lines.join('\n')}\n`)
    .replace(/^Measured with .*$/m, `Measured with ${versions()}.`);
  writeFileSync(page, written);
}

function tableOf(name: string): RegExp {
  return new RegExp(
    `(\n## ${name}\n(?:(?!\n## )[^])*?\n)(?:(?:\\|.*\n)+|Not measured for this version\\.\n)`,
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
