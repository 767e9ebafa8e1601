import type { Argv } from 'yargs';
import { replayOptions } from '../run/options.js';
import type { ReplayOptions } from '../run/recording/replay.js';
import { replayRecording } from '../start/replay-recording.js';
import { flagsOf, type FlagTable, type FlagValues, readFlags, yargsOptions } from './flags.js';
import { play } from './follow-run.js';
import { as, sendFlags, wayFlags } from './run-flags.js';

const replayFlags: FlagTable<ReplayOptions> = flagsOf(replayOptions, {
  from: ['<date>', 'Virtual time of the first event', as.instant],
  until: ['<date>', 'Virtual end time', as.instant],
  only: ['<type>', "Event types to send, e.g. 'billing.*'", { adds: 'several' }],
  account: ['<number>', 'Send only events about these accounts', { adds: 'several' }],
  skipBroken: ['', 'Skip broken lines, with a warning'],
});

/** Defines the flags of `emulate replay`. */
export function defineReplay(command: Argv): Argv<{ recording: string }> {
  return command
    .options(yargsOptions({ ...replayFlags, ...sendFlags, ...wayFlags }))
    .positional('recording', { type: 'string', demandOption: true, describe: 'A file made with --record' })
    .example("$0 replay run.ndjson --instant --only 'billing.*' --to stdout", 'its billing events, as lines');
}

/** Runs `emulate replay`: sends the events of a recording byte for byte. */
export async function replay(values: FlagValues & { readonly recording: string }): Promise<void> {
  const recording = { ...readFlags(replayFlags, values), file: values.recording };
  await play(readFlags(wayFlags, values), readFlags(sendFlags, values), (options) =>
    replayRecording({ ...options, ...recording }),
  );
}
