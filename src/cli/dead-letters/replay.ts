import { boolean, nonEmptyText } from '../../base/options.js';
import type { TextOutput } from '../../base/output.js';
import { type Console, defineCommand, jsonFlag } from '../command.js';
import { type ConnectionArguments, connectionFlags, connectionOptions } from '../connection-flags.js';
import { withConnection } from './connect.js';
import { runReplay, planReplay, type ReplayPlan } from './run-replay.js';
import { requireGroup } from './require-group.js';
import { resolveSelection, type Selection, selectionFlags } from './select.js';

interface ReplayArguments extends ConnectionArguments, Selection {
  readonly dryRun?: boolean;
  /** Target topic, or `original` for the topic of each record. */
  readonly to?: string;
  readonly json?: boolean;
}

export const command = defineCommand({
  flags: {
    ...connectionFlags,
    ...selectionFlags,
    to: {
      type: nonEmptyText,
      default: 'original',
      value: '<topic>',
      text: 'Topic to replay to; original is where each came from',
    },
    dryRun: { type: boolean, text: 'Print the dead letters instead of replaying them' },
    json: jsonFlag,
  },
  examples: ['dead-letters replay --brokers localhost:9092 --topic platform.events --dry-run'],
  run: replayDeadLetters,
});

/**
 * `busbar dead-letters replay`: sends dead letters to be handled again. When interrupted, it ends after the current
 * record.
 */
async function replayDeadLetters(args: ReplayArguments, console: Console): Promise<void> {
  const selection = resolveSelection(args);
  const to = args.to === 'original' || args.to === args.topic ? undefined : args.to;
  const where = to ?? selection.topic;
  let progress = () => `${selection.seen} dead letters read`;
  const hideProgress = console.progress(() => progress());
  await withConnection(connectionOptions(args), async (connection) => {
    const plan = await planReplay(connection, selection);
    const { replayedBefore } = plan;
    const total = plan.letters.length;
    if (total + replayedBefore === 0 && args.group !== undefined) await requireGroup(args, args.group);
    if (args.dryRun) {
      printPlan(plan, where, console, args.json);
      return;
    }
    const stop = new AbortController();
    console.onStop(() => stop.abort());
    let count = 0;
    progress = () => `${count} of ${total} dead letters replayed`;
    const replayed = () => {
      count++;
    };
    try {
      await runReplay(connection, plan, { selection, to, signal: stop.signal, replayed });
    } finally {
      const result = { to: where, replayed: count, selected: total, replayedBefore };
      console.write(
        args.json
          ? `${JSON.stringify(result)}\n`
          : `Replayed ${count} of ${total} to ${where}; ${replayedBefore} had been replayed before.\n`,
      );
      if (count < total) process.exitCode ??= 1;
    }
    if (stop.signal.aborted && count < total)
      console.info('busbar: interrupted. Run it again for the others.');
  }).finally(hideProgress);
}

function printPlan(
  { letters, replayedBefore }: ReplayPlan,
  to: string,
  output: TextOutput,
  json = false,
): void {
  const planned = letters.map(({ topic, partition, offset, event = null, group = null }) => ({
    id: `${topic}/${partition}/${offset}`,
    event,
    group,
  }));
  if (json) {
    output.write(`${JSON.stringify({ to, letters: planned, replayedBefore }, null, 2)}\n`);
    return;
  }
  for (const { id, event, group } of planned)
    output.write(`${id}  ${event ?? '-'}  for ${group ?? 'any group'}\n`);
  output.write(`Would replay ${letters.length} to ${to}; ${replayedBefore} had been replayed before.\n`);
}
