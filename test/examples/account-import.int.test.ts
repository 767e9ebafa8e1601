import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { accountToImport, importAccount } from '../../examples/account-import.js';
import { apiKey, serve } from '../emulator/platform-api/serve.js';

const program = fileURLToPath(new URL('../../dist/examples/account-import.js', import.meta.url));

it('the example imports an account, follows its events, and reads it', async () => {
  const { emulator } = await serve({ scenario: [], run: { paused: false } });
  const { stdout } = await promisify(execFile)(process.execPath, [
    program,
    emulator.url ?? '',
    apiKey,
    'N-7',
  ]);
  const lines = stdout.trim().split('\n');
  // Events of the account and of its import have different keys, so the consumer handles them concurrently.
  expect([...lines.slice(0, -1).sort(), lines.at(-1)]).toEqual([
    'agreement.created VAR-22-11-01',
    'data_import.import_process.complete N-7',
    'data_import.import_process.dry_run_complete',
    expect.stringMatching(/^N-7 is now A-[\dA-F]{8}, ACTIVE, by NORTHERN_2026$/),
  ]);
});

it('the example names the invalid member of an account', async () => {
  const { emulator } = await serve({ scenario: [], run: { paused: false } });
  const sent = accountToImport('N-7');
  const imported = importAccount(emulator.url ?? '', apiKey, sent, () => undefined);
  await expect(imported).rejects.toThrow('import_supplier: import_supplier_not_found');
});
