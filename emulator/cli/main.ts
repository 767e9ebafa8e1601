#!/usr/bin/env node
import { createRequire } from 'node:module';
import { runCommandLine } from 'busbar/internal/command-line';
import { yargsOptions } from './flags.js';
import { runFlags } from './run-flags.js';

const { version } = createRequire(import.meta.url)('busbar-emulator/package.json') as { version: string };
const ending = { withCommand: false };
const args = process.argv.slice(2);

/** Whether to print the help for runs. yargs prints the help of commands. */
const isHelp = args[0]?.startsWith('-') === true && args.includes('--help');

await runCommandLine(
  {
    program: 'emulate',
    version,
    define: (cli, output) =>
      cli
        .command(
          '$0',
          false,
          (command) => command.options(yargsOptions(runFlags)),
          async (values) => {
            if (isHelp) output.write((await import('./help.js')).help(args.includes('all')));
            else await (await import('./emulate.js')).emulate(values);
          },
        )
        .command(
          'scenarios [name]',
          'List scenarios, or draw one',
          (command) =>
            command
              .positional('name', { type: 'string', describe: 'Name of a scenario' })
              .option('json', { type: 'boolean', default: false, describe: 'As JSON' }),
          async ({ name, json }) => {
            const { listScenarios } = await import('./scenarios.js');
            listScenarios(name, json, output);
          },
        )
        .command(
          'trigger <name>',
          'Send one event',
          async (command) => (await import('./trigger.js')).defineTrigger(command),
          async (values) => (await import('./trigger.js')).trigger(values),
        )
        .command(
          'replay <recording>',
          'Send a recorded run again',
          async (command) => (await import('./replay.js')).defineReplay(command),
          async (values) => (await import('./replay.js')).replay(values),
        )
        .command(
          'verify <module>',
          'Test a consumer against faults and reordering',
          async (command) => (await import('./verify.js')).defineVerify(command),
          async (values) => {
            ending.withCommand = true;
            await (await import('./verify.js')).verify(values, output);
          },
        )
        .command(
          'check <file>',
          'Validate a recording or event stream',
          (command) =>
            command
              .positional('file', {
                type: 'string',
                demandOption: true,
                describe: 'A recording, or lines of envelopes; - for standard input',
              })
              .option('complete', {
                type: 'boolean',
                default: false,
                describe: 'Report events missing at the end of the stream',
              })
              .option('json', { type: 'boolean', default: false, describe: 'As lines of JSON' }),
          async (values) => {
            const { checkStream } = await import('./check.js');
            // yargs reads a single dash as an empty text.
            await checkStream({ ...values, file: values.file === '' ? '-' : values.file });
          },
        ),
  },
  isHelp ? [] : args,
);

// A verified consumer may leave pools and timers open.
if (ending.withCommand) process.exit();
