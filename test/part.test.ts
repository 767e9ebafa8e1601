import { expect, it, vi } from 'vitest';
import { partOf } from './part.js';

it('splits a suite into parts that share no unit and lose none', () => {
  const units = [1, 2, 3, 4, 5, 6, 7];
  expect(partOf(units, undefined)).toEqual(units);
  expect(partOf(units, '1/3')).toEqual([1, 4, 7]);
  expect([1, 2, 3].flatMap((index) => partOf(units, `${index}/3`)).sort()).toEqual(units);
});

it.each(['0/2', '3/2', '1', '1/0', 'a/b', ''])('rejects the part "%s"', (part) => {
  vi.spyOn(process, 'exit').mockImplementation((code) => {
    throw new Error(`exit ${code}`);
  });
  const write = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
  expect(() => partOf([1], part)).toThrow('exit 2');
  expect(write).toHaveBeenCalledWith(expect.stringContaining('Write "--part 1/4"'));
});
