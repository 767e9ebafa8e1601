import { expect, it } from 'vitest';
import { BoundedMap } from '../../../emulator/invariants/bounded-map.js';

it('BoundedMap evicts the least recently used entity', () => {
  const memory = new BoundedMap<number>(2);
  memory.set('a', 1);
  memory.set('b', 2);
  expect(memory.get('a')).toBe(1);
  memory.set('c', 3);
  expect([...memory.entries()]).toEqual([
    ['a', 1],
    ['c', 3],
  ]);
});
