#!/usr/bin/env node
import yargs from 'yargs';
import { hideBin } from 'yargs/helpers';
import { runCommand } from '../../src/cli/command-line.js';
import { BusbarError } from '../../src/errors.js';

const sinkNames = ['stdout', 'websocket'] as const;

await runCommand('emulate', async () => {
  await yargs(hideBin(process.argv))
    .scriptName('emulate')
    .usage(
      '$0 --scenario NAME...\n\nStands in for the energy platform: plays its processes and sends their events.',
    )
    .command(
      '$0',
      false,
      (command) =>
        command
          .option('scenario', {
            type: 'string',
            array: true,
            requiresArg: true,
            describe: 'What happens: house-move',
          })
          .option('instances', {
            type: 'number',
            requiresArg: true,
            default: 1,
            describe: 'How many of each scenario, each in a household of its own',
          })
          .option('branch', {
            type: 'string',
            array: true,
            requiresArg: true,
            describe: 'An outcome to take instead of drawing it: occupier=unknown',
          })
          .option('seed', {
            type: 'number',
            requiresArg: true,
            default: 1,
            describe: 'Same seed, same bytes',
          })
          .option('start', {
            type: 'string',
            requiresArg: true,
            default: '2026-03-02T09:00:00Z',
            describe: 'Virtual instant at which the run begins',
          })
          .option('run-id', {
            type: 'string',
            requiresArg: true,
            describe: 'Other event ids, for consumers that remember those of an earlier run',
          })
          .option('instant', { type: 'boolean', conflicts: 'speed', describe: 'As fast as possible' })
          .option('speed', {
            type: 'number',
            requiresArg: true,
            describe:
              'Virtual time runs X times as fast as the clock; without it, every gap is shown in at most 5 s',
          })
          .option('to', {
            type: 'string',
            array: true,
            requiresArg: true,
            choices: sinkNames,
            describe: "Where events go instead of to the emulator's own servers",
          })
          .option('http-port', {
            type: 'number',
            requiresArg: true,
            describe: 'Port of the HTTP server, 0 for a free one (4100)',
          })
          .option('wait-for-consumer', {
            type: 'string',
            requiresArg: true,
            describe: 'Hold the run until the consumer of that name has attached',
          })
          .option('exit-when-done', { type: 'boolean', describe: 'Do not go on serving after the run' }),
      async (args) => {
        const { emulate } = await import('./emulate.js');
        await emulate(args);
      },
    )
    .command(
      'trigger <name>',
      'Send one event at will',
      async (command) => (await import('./trigger.js')).triggerOptions(command),
      async (args) => (await import('./trigger.js')).trigger(args),
    )
    .example('$0 --scenario house-move', 'a house move at a pace to watch, on ws://127.0.0.1:4100/events')
    .example(
      '$0 --scenario house-move --seed 7 --instances 3 --instant --to stdout',
      'three of them as JSON lines',
    )
    .strict()
    .recommendCommands()
    .version()
    .help()
    .wrap(Math.min(120, process.stdout.columns || 100))
    .exitProcess(false)
    .fail((message: string, error?: Error) => {
      throw (
        error ??
        new BusbarError(
          'invalid-option',
          `${message.trim().replaceAll(/\s+/g, ' ')}. "emulate --help" lists the options.`,
        )
      );
    })
    .parseAsync();
});
