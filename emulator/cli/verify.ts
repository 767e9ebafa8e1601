import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Argv, InferredOptionTypes } from 'yargs';
import type { TextOutput } from '../../src/cli/output.js';
import { BusbarError } from '../../src/base/errors.js';
import { quoted } from '../../src/base/quoted.js';
import {
  type ContractReport,
  loadContract,
  readRepro,
  replayFailure,
  reportAsJson,
  reportAsJunit,
  reportForGithub,
  reportForPeople,
  verifyConsumer,
} from '../testing/index.js';
import { given } from './given.js';

/** The options of `emulate verify`. */
const verifyOptions = {
  reporter: {
    choices: ['people', 'junit', 'json', 'github'],
    default: 'people',
    describe: 'How the report is written, on standard output',
  },
  seed: { type: 'number', requiresArg: true, describe: 'Of samples, scenarios and faults. Default 1' },
  runs: { type: 'number', requiresArg: true, describe: 'Random fault plans that are tried. Default 50' },
  only: { type: 'string', array: true, requiresArg: true, describe: 'Checks to run, by name. Default: all' },
  strict: {
    type: 'boolean',
    default: false,
    describe: 'What is only pointed out, as a later version without a handler, fails, too',
  },
  out: {
    type: 'string',
    default: '.',
    requiresArg: true,
    describe: 'Folder for repro-<hash>.ndjson, which shows a failure with the fewest deliveries',
  },
  repro: {
    type: 'string',
    requiresArg: true,
    describe: 'Show the failure in this file again, and nothing else',
  },
} as const;

export type VerifyArguments = InferredOptionTypes<typeof verifyOptions> & { readonly module: string };

export function defineVerify(command: Argv): Argv<VerifyArguments> {
  return command
    .positional('module', {
      type: 'string',
      demandOption: true,
      describe: 'Exports a consumer, as "consumer" or default, and perhaps "contract"',
    })
    .options(verifyOptions)
    .example('$0 verify ./dist/consumer.js', 'whether the consumer copes with the platform');
}

/** `emulate verify`: holds a consumer against the platform. The exit code is 1 when a check failed. */
export async function verify(args: VerifyArguments, output: TextOutput): Promise<void> {
  // Without it, Node ends a process in which nothing goes on, and says nothing.
  let stall = () => {};
  const stalled = new Promise<never>((_resolve, reject) => {
    stall = () => reject(stalledModule(args.module));
  });
  process.once('beforeExit', stall);
  await Promise.race([verified(args, output), stalled]).finally(() => process.off('beforeExit', stall));
}

async function verified(args: VerifyArguments, output: TextOutput): Promise<void> {
  const { consumer, contract } = await loadContract(args.module);
  const chosen = { ...contract, strict: args.strict, ...given('seed', args.seed) };
  if (args.repro !== undefined) {
    const {
      status,
      name,
      subject,
      reason = '',
    } = await replayFailure(consumer, readRepro(args.repro, await contentOf(args.repro)), chosen);
    output.write(status === 'failed' ? `✗ ${name} ${subject}: ${reason}\n` : `✓ ${name} ${subject}\n`);
    if (status === 'failed') process.exitCode = 1;
    return;
  }
  const report = await verifyConsumer(consumer, {
    ...chosen,
    ...given('runs', args.runs),
    ...given('only', args.only),
  });
  await keepFailures(report, args.out);
  output.write(written(report, args));
  if (!report.passed) process.exitCode = 1;
}

function stalledModule(file: string): BusbarError {
  const message = `Module ${quoted(file)}, or a function that it exports, waits for something that never comes.`;
  return new BusbarError('invalid-module', message);
}

function written(report: ContractReport, { reporter, module, out }: VerifyArguments): string {
  const replay = (file: string) => `emulate verify ${module} --repro ${join(out, file)}`;
  switch (reporter) {
    case 'junit':
      return reportAsJunit(report);
    case 'json':
      return reportAsJson(report);
    case 'github':
      return reportForGithub(report, module, replay);
    case 'people':
      return reportForPeople(report, replay);
  }
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

async function contentOf(file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8');
  } catch (cause) {
    const { code = 'unknown error' } = cause as NodeJS.ErrnoException;
    throw new BusbarError('invalid-option', `File ${quoted(file)} cannot be read: ${code}.`, { cause });
  }
}
