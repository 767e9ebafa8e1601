import type { Argv, InferredOptionTypes } from 'yargs';
import { stderrLogger } from '../../src/base/logger.js';
import type { Playback } from '../start/playback.js';
import { replayRecording } from '../start/replay-recording.js';
import { followRun, sendingOptions } from './follow-run.js';
import { given } from './given.js';
import { openSinks } from './open-sinks.js';
import { parseInstant } from './parse-options.js';
import { sendOptions } from './send-options.js';

/** The options of `emulate replay`. */
const replayOptions = {
  from: { type: 'string', requiresArg: true, describe: 'Virtual instant of the first event that is sent' },
  until: { type: 'string', requiresArg: true, describe: 'Virtual instant from which on nothing is sent' },
  only: {
    type: 'string',
    array: true,
    requiresArg: true,
    describe: "Event types, * stands for any text: 'billing.*'",
  },
  account: {
    type: 'string',
    array: true,
    requiresArg: true,
    describe: 'Account numbers that the events are about',
  },
  'skip-broken': { type: 'boolean', describe: 'Leave out lines that are broken, and say so' },
  ...sendOptions,
} as const;

export type ReplayArguments = InferredOptionTypes<typeof replayOptions> & { readonly recording: string };

export function defineReplay(command: Argv): Argv<ReplayArguments> {
  return command
    .positional('recording', { type: 'string', demandOption: true, describe: 'A file made with --record' })
    .options(replayOptions)
    .example("$0 replay run.ndjson --instant --only 'billing.*' --to stdout", 'its billing events, as lines');
}

/** `emulate replay`: the events of a recording, byte for byte. */
export async function replay(args: ReplayArguments): Promise<void> {
  const opened = await openSinks(args, false);
  let emulator: Playback;
  try {
    emulator = await replayRecording({
      file: args.recording,
      ...sendingOptions(args, opened),
      ...given('from', args.from, (text) => parseInstant('from', text)),
      ...given('until', args.until, (text) => parseInstant('until', text)),
      ...given('only', args.only),
      ...given('account', args.account),
      skipBroken: args['skip-broken'] === true,
      logger: stderrLogger,
    });
  } catch (error) {
    for (const sink of opened.sinks) await sink.close();
    throw error;
  }
  await followRun(emulator, args, opened);
}
