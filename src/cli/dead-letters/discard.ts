import { BusbarError } from '../../base/errors.js';
import { boolean } from '../../base/options.js';
import { type Console, defineCommand, jsonFlag } from '../command.js';
import { type ConnectionArguments, connectionFlags, connectionOptions } from '../connection-flags.js';
import { withConnection } from '../connect.js';
import { before, printPlan } from './print-plan.js';
import { checkMarks, planReplay, runDiscard } from './run-replay.js';
import { changedFlags, resolveSelection, type Selection } from './select.js';

interface DiscardArguments extends ConnectionArguments, Selection {
  readonly dryRun?: boolean;
  readonly json?: boolean;
}

export const command = defineCommand({
  flags: {
    ...connectionFlags,
    ...changedFlags,
    dryRun: { type: boolean, text: 'Print the dead letters instead of discarding them' },
    json: jsonFlag,
  },
  examples: [
    'dead-letters discard --brokers localhost:9092 --topic platform.events --id platform.events.dead-letter/0/7',
  ],
  run: discardDeadLetters,
});

/** `busbar dead-letters discard`: marks dead letters, so that no replay sends them. Keeps their records. */
async function discardDeadLetters(args: DiscardArguments, console: Console): Promise<void> {
  if ([args.id, args.group, args.only, args.since].every((criterion) => criterion === undefined)) {
    const message = 'Select the dead letters to discard with --id, --group, --only or --since.';
    throw new BusbarError('invalid-option', message);
  }
  const selection = resolveSelection(args);
  const stop = new AbortController();
  console.onStop(() => stop.abort());
  await withConnection(connectionOptions(args), async (connection) => {
    const plan = await planReplay(connection, selection);
    const { replayedBefore, discardedBefore } = plan;
    const selected = plan.letters.length;
    if (args.dryRun) {
      if (selected > 0) await checkMarks(connection, selection.marks);
      printPlan(plan, `discard ${selected}`, console, args.json && {});
      return;
    }
    const discarded = await runDiscard(connection, plan, { selection, signal: stop.signal });
    console.write(
      args.json
        ? `${JSON.stringify({ discarded, selected, replayedBefore, discardedBefore })}\n`
        : `Discarded ${discarded} of ${selected}; ${before(plan)}\n`,
    );
    if (discarded < selected) process.exitCode ??= 1;
  });
}
