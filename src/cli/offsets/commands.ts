import type { Argv } from 'yargs';
import { connectionFlags } from '../connection-flags.js';
import type { TextOutput } from '../../base/output.js';

/** Defines the commands `busbar offsets ...`. */
export function offsetCommands(cli: Argv, output: TextOutput): Argv {
  return cli.demandCommand(1, 'Name a command: offsets reset.').command(
    'reset',
    'Let a consumer group without members go on somewhere else, as to build a projection anew',
    (command) =>
      command.options({
        ...connectionFlags,
        group: { type: 'string', requiresArg: true, demandOption: true, describe: 'The consumer group' },
        topic: { type: 'string', requiresArg: true, demandOption: true, describe: 'The topic' },
        to: {
          type: 'string',
          requiresArg: true,
          demandOption: true,
          describe: 'earliest, latest, a time as 2026-03-01T12:00:00Z, or an offset',
        },
        partition: { type: 'number', requiresArg: true, describe: 'Only this one' },
        'dry-run': { type: 'boolean', default: false, describe: 'Only tell what would change' },
      } as const),
    async (args) => {
      const { resetOffsets } = await import('./reset.js');
      await resetOffsets(args, output);
    },
  );
}
