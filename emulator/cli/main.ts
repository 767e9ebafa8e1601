#!/usr/bin/env node
import { runCommandLine } from '../../src/cli/command-line.js';
import { runOptions } from './run-options.js';

const ending = { withCommand: false };

await runCommandLine(
  {
    program: 'emulate',
    define: (cli, output) =>
      cli
        .usage(
          '$0 [--scenario NAME]...\n\nStands in for the energy platform: plays its processes and sends their events. Without a scenario it waits for what comes in: emulate trigger NAME --to emulator.',
        )
        .command(
          '$0',
          false,
          (command) => command.options(runOptions),
          async (args) => {
            const { emulate } = await import('./emulate.js');
            await emulate(args);
          },
        )
        .command(
          'scenarios [name]',
          'What can be played; with a name, one of them drawn',
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
          'Send one event at will',
          async (command) => (await import('./trigger.js')).triggerOptions(command),
          async (args) => (await import('./trigger.js')).trigger(args),
        )
        .command(
          'replay <recording>',
          'Send a recorded run again',
          async (command) => (await import('./replay.js')).defineReplay(command),
          async (args) => (await import('./replay.js')).replay(args),
        )
        .command(
          'verify <module>',
          'Check that a consumer copes with all that the platform may do to it',
          async (command) => (await import('./verify.js')).defineVerify(command),
          async (args) => {
            ending.withCommand = true;
            await (await import('./verify.js')).verify(args, output);
          },
        )
        .command(
          'check <file>',
          'Hold a recording or a stream of lines against the catalogue and the invariants',
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
                describe:
                  'The stream goes on to the end of all that began in it: what is missing then is wrong',
              })
              .option('json', { type: 'boolean', default: false, describe: 'As lines of JSON' }),
          async (args) => {
            const { checkStream } = await import('./check.js');
            // yargs takes a lone dash for an empty text.
            await checkStream({ ...args, file: args.file === '' ? '-' : args.file });
          },
        )
        .example('$0 --scenario house-move', 'a house move at a pace to watch, on ws://127.0.0.1:4100/events')
        .example(
          '$0 --scenario house-move --instances 3 --instant --to stdout',
          'three of them, as JSON lines',
        ),
  },
  process.argv.slice(2),
);

// A consumer that was verified may have left pools and timers behind.
if (ending.withCommand) process.exit();
