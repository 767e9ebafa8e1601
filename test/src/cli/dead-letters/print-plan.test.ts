import { expect, it } from 'vitest';
import { printPlan } from '../../../../src/cli/dead-letters/print-plan.js';
import type { ReplayPlan } from '../../../../src/cli/dead-letters/run-replay.js';

it('printPlan() aligns the columns of all dead letters', () => {
  const text = printed([
    { offset: 7, event: 'account.created-v1' },
    { offset: 12, event: undefined },
  ]);
  expect(text.split('\n').slice(0, 2)).toEqual([
    'events.dead-letter/0/7   account.created-v1  for any group',
    'events.dead-letter/0/12  -                   for any group',
  ]);
});

it('printPlan() replaces control characters in the name of an unknown event', () => {
  expect(printed([{ offset: 7, event: 'a\u001b[2J-v1' }])).toBe(
    'events.dead-letter/0/7  a?[2J-v1  for any group\nWould replay 1; 0 had been replayed before.\n',
  );
});

function printed(
  letters: readonly { readonly offset: number; readonly event: string | undefined }[],
): string {
  let text = '';
  const output = { write: (more: string) => (text += more) };
  const plan: ReplayPlan = {
    letters: letters.map((letter) => {
      const place = { topic: 'events.dead-letter', partition: 0, offset: letter.offset };
      return { ...letter, ...place, note: { ...place, first: letter.offset, count: 1 }, group: undefined };
    }),
    replayedBefore: 0,
    discardedBefore: 0,
  };
  printPlan(plan, `replay ${letters.length}`, output, undefined);
  return text;
}
