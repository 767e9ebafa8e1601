import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Argv } from 'yargs';
import type { TextOutput } from 'busbar/base';
import { BusbarError, choice, nonEmptyText, quoted } from 'busbar/base';
import { readText } from '../run/read-text.js';
import {
  type ContractReport,
  loadContract,
  type ReplayCommand,
  readRepro,
  replayFailure,
  reportAsJson,
  reportAsJunit,
  reportForGithub,
  formatText,
  verifyConsumer,
  type VerifyOptions,
} from '../testing/index.js';
import { verifyOptions } from '../testing/verify/contract.js';
import { flagsOf, type FlagTable, type FlagValues, readFlags, yargsOptions } from './flags.js';

const reporters = {
  people: (report: ContractReport, _module: string, replay: ReplayCommand) => formatText(report, replay),
  junit: reportAsJunit,
  json: reportAsJson,
  github: reportForGithub,
};

interface VerifyFlags extends Pick<VerifyOptions, 'seed' | 'runs' | 'only' | 'strict'> {
  readonly reporter?: keyof typeof reporters;
  readonly out?: string;
  readonly repro?: string;
}

const reportOptions = {
  reporter: { type: choice(...Object.keys(reporters)), default: 'people' },
  out: { type: nonEmptyText, default: '.' },
  repro: { type: nonEmptyText },
};

const verifyFlags: FlagTable<VerifyFlags> = flagsOf(
  { ...verifyOptions, ...reportOptions },
  {
    reporter: ['<format>', 'Format of the report: people, junit, json or github'],
    seed: ['<n>', 'Seed of samples, scenarios and faults'],
    runs: ['<n>', 'Random fault plans to try'],
    only: ['<check>', 'Checks to run, instead of all', { adds: 'several' }],
    strict: ['', 'Treat warnings as failures'],
    out: ['<folder>', 'Folder for repro-<hash>.ndjson of each failure'],
    repro: ['<file>', 'Repeat only the failure in this file'],
  },
);

/** Defines the flags of `emulate verify`. */
export function defineVerify(command: Argv): Argv<{ module: string }> {
  return command
    .options(yargsOptions(verifyFlags))
    .positional('module', {
      type: 'string',
      demandOption: true,
      describe: 'Exports a consumer, as "consumer" or default, and perhaps "contract"',
    })
    .example('$0 verify ./dist/consumer.js', 'test a consumer');
}

/** Runs `emulate verify`: tests a consumer. A failed check sets the exit code to 1. */
export async function verify(
  values: FlagValues & { readonly module: string },
  output: TextOutput,
): Promise<void> {
  const { module } = values;
  const flags = readFlags(verifyFlags, values);
  // Without this, Node exits silently when nothing is pending.
  let stall = () => {};
  const stalled = new Promise<never>((_resolve, reject) => {
    stall = () => reject(stalledModule(module));
  });
  process.once('beforeExit', stall);
  await Promise.race([runVerify(module, flags, output), stalled]).finally(() =>
    process.off('beforeExit', stall),
  );
}

async function runVerify(module: string, flags: VerifyFlags, output: TextOutput): Promise<void> {
  const { reporter = 'people', out = '.', repro, ...options } = flags;
  const { consumer, contract } = await loadContract(module);
  const chosen = { ...contract, ...options };
  if (repro !== undefined) {
    const {
      status,
      name,
      subject,
      reason = '',
    } = await replayFailure(consumer, readRepro(repro, await readText(repro)), chosen);
    output.write(status === 'failed' ? `✗ ${name} ${subject}: ${reason}\n` : `✓ ${name} ${subject}\n`);
    if (status === 'failed') process.exitCode = 1;
    return;
  }
  const report = await verifyConsumer(consumer, chosen);
  await keepFailures(report, out);
  const replay = (file: string) => `emulate verify ${module} --repro ${join(out, file)}`;
  output.write(reporters[reporter](report, module, replay));
  if (!report.passed) process.exitCode = 1;
}

function stalledModule(file: string): BusbarError {
  const message = `Module ${quoted(file)}, or a function that it exports, never resolves. Remove the endless wait.`;
  return new BusbarError('invalid-module', message);
}

async function keepFailures({ checks }: ContractReport, folder: string): Promise<void> {
  for (const { repro } of checks) {
    if (repro === undefined) continue;
    const path = join(folder, repro.file);
    try {
      await mkdir(folder, { recursive: true });
      await writeFile(path, repro.content);
    } catch (cause) {
      const { code = 'unknown error' } = cause as NodeJS.ErrnoException;
      const message = `File ${quoted(path)} cannot be written: ${code}. Choose another folder with --out.`;
      throw new BusbarError('file-failed', message, { cause });
    }
  }
}
