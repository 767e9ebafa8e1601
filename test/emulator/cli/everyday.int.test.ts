import { expect, it, onTestFinished } from 'vitest';
import { start } from '../../command.js';
import { accountOf, supplier, withKey } from '../platform-api/data-import-payloads.js';

const ports = ['--http-port', '0', '--kafka-port', '0'];

/** Starts the command, which a failed test may leave frozen: then it ignores other signals. */
function started(...options: readonly string[]) {
  const emulate = start('emulate', options);
  onTestFinished(() => void emulate.child.kill('SIGKILL'));
  return emulate;
}

it('accepts an import and a start during everyday, and ends at SIGTERM', async () => {
  const population = ['--scenario', 'everyday', '--accounts', '50', '--speed', '60'];
  const emulate = started(...population, '--api-key', 'sk_test', ...ports);
  const [, url] = await emulate.line(/Control API +(http:\S+)\/emulator\/v1\//);
  const ask = async (path: string, body?: unknown) => {
    const init = body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) };
    const response = await fetch(`${url}${path}`, { ...init, headers: withKey });
    return { status: response.status, body: await response.json() };
  };
  expect((await ask('/emulator/v1/import-suppliers', { code: supplier })).status).toBe(201);
  expect((await ask('/v1/data-import/accounts/', accountOf('N-1'))).status).toBe(201);
  const start = { scenario: 'house-move' };
  const { started: begun } = (await ask('/emulator/v1/run/start', start)).body as {
    started: [{ account: string }];
  };
  expect((await ask(`/v1/accounts/${begun[0].account}/`)).status).toBe(200);
  expect((await ask('/emulator/v1/clock/advance', { by: 'PT8H' })).status).toBe(200);
  const path = `/v1/data-import/import-suppliers/${supplier}/accounts/N-1/`;
  const { account_number } = (await ask(path)).body as { account_number: string };
  expect((await ask(`/v1/accounts/${account_number}/`)).status).toBe(200);
  expect((await emulate.stop()).code).toBe(143);
});

it('ends everyday without events if its shard has no account', async () => {
  const share = ['--accounts', '5', '--shard', '1000/1024', '--instant', '--to', 'stdout'];
  const emulate = started('--scenario', 'everyday', ...share);
  await emulate.line(/^No event was sent\./);
});
