import { expect, it } from 'vitest';
import { printPlan } from '../../../../src/cli/dead-letters/print-plan.js';

it('printPlan() replaces control characters in the name of an unknown event', () => {
  const place = { topic: 'events.dead-letter', partition: 0, offset: 7 };
  const note = { ...place, first: 7, count: 1 };
  const letters = [{ ...place, note, group: undefined, event: 'a\u001b[2J-v1' }];
  let text = '';
  const output = { write: (more: string) => (text += more) };
  printPlan({ letters, replayedBefore: 0, discardedBefore: 0 }, 'replay 1', output, undefined);
  expect(text).toBe(
    'events.dead-letter/0/7  a?[2J-v1  for any group\nWould replay 1; 0 had been replayed before.\n',
  );
});
