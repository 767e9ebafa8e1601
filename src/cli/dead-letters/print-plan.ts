import type { TextOutput } from '../../base/output.js';
import { textTable } from '../text-table.js';
import type { ReplayPlan } from './run-replay.js';
import { idOf } from './select.js';

/** Prints what a command would do; with members of a JSON object, as one. */
export function printPlan(
  plan: ReplayPlan,
  act: string,
  output: TextOutput,
  json: object | false | undefined,
): void {
  const { replayedBefore, discardedBefore } = plan;
  const letters = plan.letters.map(({ event = null, group = null, ...letter }) => {
    return { id: idOf(letter), event, group };
  });
  if (json) {
    output.write(`${JSON.stringify({ ...json, letters, replayedBefore, discardedBefore }, null, 2)}\n`);
    return;
  }
  const rows = letters.map(({ id, event, group }) => [id, event ?? '-', `for ${group ?? 'any group'}`]);
  output.write(textTable(rows));
  output.write(`Would ${act}; ${before(plan)}\n`);
}

/** Describes the dead letters that a command skips. */
export function before({ replayedBefore, discardedBefore }: ReplayPlan): string {
  const discarded = discardedBefore === 0 ? '' : `, ${discardedBefore} discarded`;
  return `${replayedBefore} had been replayed${discarded} before.`;
}
