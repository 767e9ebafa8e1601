import type { Argv } from 'yargs';
import { connectionFlags } from '../connection-flags.js';
import type { TextOutput } from '../../base/output.js';
import { selectionFlags } from './select.js';

/** Defines the commands `busbar dead-letters ...`. */
export function deadLetterCommands(cli: Argv, output: TextOutput): Argv {
  return cli
    .demandCommand(1, 'Name a command: dead-letters list, show or replay.')
    .command(
      'list',
      'What was set aside, why, and whether it was replayed; no payloads',
      (command) =>
        command
          .options({ ...connectionFlags, ...selectionFlags })
          .option('json', { type: 'boolean', default: false, describe: 'print JSON' }),
      async (args) => {
        const { listDeadLetters } = await import('./list.js');
        await listDeadLetters(args, output);
      },
    )
    .command(
      'show <id> [partition] [offset]',
      'One dead letter with its headers',
      (command) =>
        command
          .options(connectionFlags)
          .positional('id', {
            type: 'string',
            demandOption: true,
            describe: 'TOPIC/PARTITION/OFFSET as list prints it, or the dead-letter topic',
          })
          .positional('partition', { type: 'number', describe: 'where the topic stands alone' })
          .positional('offset', { type: 'number', describe: 'likewise' })
          .option('payload', {
            type: 'boolean',
            default: false,
            describe: 'Print the payload, too: it is personal data, and stays in the terminal and its log',
          }),
      async (args) => {
        const { showDeadLetter } = await import('./show.js');
        await showDeadLetter(args, output);
      },
    )
    .command(
      'replay',
      'Send dead letters to be handled again, each once, in order',
      (command) =>
        command
          .options({ ...connectionFlags, ...selectionFlags })
          .option('to', {
            type: 'string',
            requiresArg: true,
            default: 'original',
            describe:
              'A topic; original is the one that was consumed, and only their group handles them there',
          })
          .option('dry-run', {
            type: 'boolean',
            default: false,
            describe: 'Only tell what would be replayed',
          }),
      async (args) => {
        const { replayDeadLetters } = await import('./replay.js');
        await replayDeadLetters(args, output);
      },
    );
}
