import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { platformClient } from '../../examples/platform-client.js';
import { apiKey, serve } from '../emulator/platform-api/serve.js';

const program = fileURLToPath(new URL('../../dist/examples/platform-client.js', import.meta.url));

it('the example client obtains a token, products and an account', async () => {
  const { base } = await serve();
  const { stdout } = await promisify(execFile)(process.execPath, [program, base, apiKey, 'A-6CD32BA9']);
  expect(stdout).toMatch(
    /^\d+ green products, the first is AGILE-18-02-13\nA-6CD32BA9 in \w+: 20\d\d-\d\d-\d\dT\S+ to now\n$/,
  );
});

it('the example client names the code of an error', async () => {
  const { base } = await serve();
  const account = platformClient(base).get('/accounts/{account_number}/', { account_number: 'A-6CD32BA9' });
  await expect(account).rejects.toThrow('401 not_authenticated');
  await expect(platformClient(base).authenticate('wrong')).rejects.toThrow('API key');
});
