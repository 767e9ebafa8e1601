import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { playsAll } from '../cases.js';

// Under Vitest.
import '../../examples/departures.test.js';

it.runIf(playsAll)('the example of a contract test also runs under node:test', async () => {
  const file = fileURLToPath(new URL('../../dist/examples/departures.test.js', import.meta.url));
  // Without this runner's variables, which Node's runner would interpret as its own.
  const { VITEST: _vitest, NODE_TEST_CONTEXT: _context, ...env } = process.env;
  const { stdout } = await promisify(execFile)(process.execPath, ['--test', '--test-reporter=tap', file], {
    env,
  });
  expect(stdout).toMatch(/^# pass 3$/m);
  expect(stdout).toMatch(/^# fail 0$/m);
});
