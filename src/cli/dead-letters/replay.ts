import { type ConnectionArguments, connectionOptions } from '../connection-flags.js';
import type { TextOutput } from '../../base/output.js';
import { onStopSignal } from '../../base/stop-signals.js';
import { withConnection } from './connect.js';
import { runReplay, planReplay, type ReplayPlan } from './run-replay.js';
import { requireGroup } from './require-group.js';
import { resolveSelection, type Selection } from './select.js';

export interface ReplayArguments extends ConnectionArguments, Selection {
  readonly dryRun: boolean;
  /** Target topic, or `original` for the topic of each record. */
  readonly to: string;
}

/**
 * `busbar dead-letters replay`: sends dead letters to be handled again. When interrupted, it ends after the current
 * record, with exit code 1 if some are left.
 */
export async function replayDeadLetters(args: ReplayArguments, output: TextOutput): Promise<void> {
  const selection = resolveSelection(args);
  const to = args.to === 'original' || args.to === args.topic ? undefined : args.to;
  const where = to ?? selection.topic;
  await withConnection(connectionOptions(args), async (connection) => {
    const plan = await planReplay(connection, selection);
    const isNothing = plan.letters.length + plan.replayedBefore === 0;
    if (isNothing && args.group !== undefined) await requireGroup(args, args.group);
    if (args.dryRun) {
      printPlan(plan, where, output);
      return;
    }
    const stop = new AbortController();
    const ignoreSignals = onStopSignal(() => stop.abort());
    let count = 0;
    try {
      const replayed = () => {
        count++;
      };
      await runReplay(connection, plan, { selection, to, signal: stop.signal, replayed });
    } finally {
      ignoreSignals();
      const total = plan.letters.length;
      output.write(
        `Replayed ${count} of ${total} to ${where}; ${plan.replayedBefore} had been replayed before.\n`,
      );
      if (count < total) process.exitCode = 1;
    }
    if (stop.signal.aborted && count < plan.letters.length) {
      process.stderr.write('busbar: interrupted. Run it again for the others.\n');
    }
  });
}

function printPlan({ letters, replayedBefore }: ReplayPlan, where: string, output: TextOutput): void {
  for (const { topic, partition, offset, event, group } of letters) {
    output.write(`${topic}/${partition}/${offset}  ${event ?? '-'}  for ${group ?? 'any group'}\n`);
  }
  output.write(`Would replay ${letters.length} to ${where}; ${replayedBefore} had been replayed before.\n`);
}
