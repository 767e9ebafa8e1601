import { expect, it } from 'vitest';
import { textTable } from '../../../src/cli/text-table.js';

it('textTable() aligns more rows than a function can have arguments', () => {
  const rows = Array.from({ length: 150_000 }, () => ['a', 'b']);
  expect(textTable([['long', 'b'], ...rows]).slice(-8)).toBe('a     b\n');
});
