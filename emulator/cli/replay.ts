import { nonEmptyText } from 'busbar/base';
import {
  catalogueFlag,
  type Command,
  type Console,
  flagsOf,
  type FlagTable,
  type FlagValues,
  readFlags,
} from 'busbar/internal/command-line';
import { protectFile } from '../run/line-writer.js';
import { replayOptions } from '../run/options.js';
import { openRecording } from '../run/recording/open-recording.js';
import { type ReplayOptions, requirePossible } from '../run/recording/replay.js';
import type { SendOptions } from '../start/send-options.js';
import { as, runGroups, wayFlags } from './run-flags.js';

const replayFlags: FlagTable<ReplayOptions> = flagsOf(replayOptions, {
  from: ['<date>', 'Virtual time of the first event', as.instant],
  until: ['<date>', 'Virtual end time', as.instant],
  only: ['<type>', "Event types to send, e.g. 'billing.*'", { adds: 'several' }],
  account: ['<number>', 'Send only events about these accounts', { adds: 'several' }],
  skipBroken: ['', 'Skip broken lines, with a warning'],
});

const args = {
  recording: { type: nonEmptyText, isRequired: true, text: 'File made with --record' },
} as const;

export const command: Command = {
  args,
  flags: { ...replayFlags, ...wayFlags, catalogue: catalogueFlag },
  groups: [['Recording', 'from until only account', 'skip-broken'], ...runGroups],
  examples: ["replay run.ndjson --instant --only 'billing.*' --to stdout"],
  run: replay,
};

/** Runs `emulate replay`: sends the events of a recording byte for byte. */
async function replay(values: FlagValues, console: Console): Promise<void> {
  const { recording: file } = readFlags<{ recording: string }>(args, values, '');
  const way = readFlags(wayFlags, values);
  const recording = { ...readFlags(replayFlags, values), file, catalogue: await console.catalogue() };
  // Before a sink connects.
  requirePossible(recording, recording.catalogue);
  await (await openRecording(file)).lines.return();
  const release = await protectFile(file);
  const { play } = await import('./follow-run.js');
  const { replayRecording } = await import('../start/replay-recording.js');
  const start = (options: SendOptions) => replayRecording({ ...options, ...recording });
  await play(way, start, console).finally(release);
}
