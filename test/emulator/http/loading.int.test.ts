import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';

it('loads ws when a server starts, and express for the first request', async () => {
  const program = fileURLToPath(new URL('programs/loaded-packages.ts', import.meta.url));
  const { stdout } = await promisify(execFile)(process.execPath, ['--import', 'tsx', program]);
  expect(JSON.parse(stdout)).toEqual({ before: [], started: ['ws'], asked: ['express', 'ws'] });
});
