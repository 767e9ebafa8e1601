import { boolean, nonEmptyText } from '../../base/options.js';
import { type Console, defineCommand, jsonFlag } from '../command.js';
import { type ConnectionArguments, connectionFlags, connectionOptions } from '../connection-flags.js';
import { withConnection } from '../connect.js';
import { before, printPlan } from './print-plan.js';
import { checkMarks, checkTarget, planReplay, runReplay } from './run-replay.js';
import { changedFlags, resolveSelection, type Selection } from './select.js';

interface ReplayArguments extends ConnectionArguments, Selection {
  readonly dryRun?: boolean;
  /** Target topic, or `original` for the topic of each record. */
  readonly to?: string;
  readonly json?: boolean;
}

export const command = defineCommand({
  flags: {
    ...connectionFlags,
    ...changedFlags,
    to: {
      type: nonEmptyText,
      default: 'original',
      value: '<topic>',
      text: 'Topic to replay to, or original: the topic each came from',
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
  console.progress(() => progress());
  await withConnection(connectionOptions(args), async (connection) => {
    const plan = await planReplay(connection, selection);
    const { replayedBefore, discardedBefore } = plan;
    const total = plan.letters.length;
    if (args.dryRun) {
      if (total > 0) await checkTarget(connection, where);
      if (total > 0) await checkMarks(connection, selection.marks);
      printPlan(plan, `replay ${total} to ${where}`, console, args.json && { to: where });
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
      const result = { to: where, replayed: count, selected: total, replayedBefore, discardedBefore };
      console.write(
        args.json
          ? `${JSON.stringify(result)}\n`
          : `Replayed ${count} of ${total} to ${where}; ${before(plan)}\n`,
      );
      if (count < total) process.exitCode ??= 1;
    }
    if (stop.signal.aborted && count < total)
      console.info('busbar: interrupted. Run the command again for the others.');
  });
}
