import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { accountToImport, importAccount } from '../../examples/account-import.js';
import { apiKey, serve } from '../emulator/platform-api/serve.js';

const program = fileURLToPath(new URL('../../dist/examples/account-import.js', import.meta.url));

it('the example imports an account, follows it by its events, and reads it', async () => {
  const { emulator } = await serve({ scenario: [], paused: false });
  const { stdout } = await promisify(execFile)(process.execPath, [
    program,
    emulator.url ?? '',
    apiKey,
    'N-7',
  ]);
  const lines = stdout.trim().split('\n');
  // Events of the account have another key than those of its import: the two are handled beside each other.
  expect([...lines.slice(0, -1).sort(), lines.at(-1)]).toEqual([
    'agreement.created VAR-22-11-01',
    'data_import.import_process.complete N-7',
    'data_import.import_process.dry_run_complete',
    expect.stringMatching(/^N-7 is A-[\dA-F]{8} now, ACTIVE, by NORTHERN_2026$/),
  ]);
});

it('the example says which member of an account is wrong', async () => {
  const { emulator } = await serve({ scenario: [], paused: false });
  const sent = accountToImport('N-7');
  const imported = importAccount(emulator.url ?? '', apiKey, sent, () => undefined);
  await expect(imported).rejects.toThrow('import_supplier: import_supplier_not_found');
});
