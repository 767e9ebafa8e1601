import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { root } from '../read-sources.js';
import { subjects } from './subjects.js';
import survivors from './survivors.json' with { type: 'json' };

it('explains only changes of lines that the code still has', () => {
  const stale = survivors.filter(({ file, code }) => {
    const lines = readFileSync(join(root, file), 'utf8').split('\n');
    return !lines.some((line) => line.trim() === code);
  });
  expect(stale).toEqual([]);
});

it('names only code and tests that exist', () => {
  const paths = subjects.flatMap(({ files, tests }) => [...files, ...tests]);
  const missing = paths.filter((path) => !existsSync(join(root, path.replace(/\*.*$/, ''))));
  expect(missing).toEqual([]);
});
