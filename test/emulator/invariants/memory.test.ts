import { expect, it } from 'vitest';
import { Memory } from '../../../emulator/invariants/memory.js';

it('a memory that is full forgets what nothing was heard of for longest', () => {
  const memory = new Memory<number>(2);
  memory.set('a', 1);
  memory.set('b', 2);
  expect(memory.get('a')).toBe(1);
  memory.set('c', 3);
  expect([...memory.entries()]).toEqual([
    ['a', 1],
    ['c', 3],
  ]);
});
