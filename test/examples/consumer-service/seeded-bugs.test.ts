import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { commands } from '../../command.js';

const consumer = 'examples/consumer-service/consumer.ts';

/** `emulate verify` of the example, with that bug in it. */
async function verify(bug: string, options: readonly string[]) {
  const folder = mkdtempSync(join(tmpdir(), 'busbar-verify-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const args = ['verify', consumer, '--reporter', 'json', '--out', folder, '--strict', ...options];
  const child = spawn(process.execPath, [commands.emulate, ...args], {
    env: { ...process.env, SEEDED_BUG: bug },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let output = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => (output += text));
  await once(child, 'close');
  const { checks } = JSON.parse(output) as {
    checks: readonly { name: string; subject: string; status: string }[];
  };
  const failed = checks
    .filter(({ status }) => status !== 'passed')
    .map(({ name, subject }) => `${name} ${subject}`);
  return { code: child.exitCode, failed };
}

// Every event is a transaction of a PostgreSQL in WebAssembly.
const patience = 600_000;

describe('emulate verify', () => {
  it('finds nothing in the example service', { timeout: patience }, async () => {
    expect(await verify('', ['--runs', '3'])).toEqual({ code: 0, failed: [] });
  });

  it.each([
    ['double-count', 'duplicates', 'billing.ledger.entry_posted-v2'],
    ['order-assumption', 'samples', 'lifecycle.leave-supplier.updated-v3'],
    ['optional-field', 'samples', 'billing.ledger.entry_posted-v2'],
    ['payload-mutation', 'mutation', 'lifecycle.leave-supplier.completed-v3'],
    ['missed-version', 'versions', 'lifecycle.leave-supplier.requested-v2'],
    ['swallowed-error', 'platform-errors', 'house-move'],
    ['loss-on-shutdown', 'shutdown', 'billing.ledger.entry_posted-v2'],
    ['slow-leak', 'leaks', '5,000 deliveries'],
    ['time-format', 'vary', 'lifecycle.leave-supplier.requested-v3'],
  ])('finds the seeded bug %s by the check %s, in %s', { timeout: patience }, async (bug, check, subject) => {
    const { code, failed } = await verify(bug, ['--only', check]);
    expect(failed.filter((each) => each.startsWith(`${check} ${subject}`))).not.toEqual([]);
    expect(code).toBe(1);
  });
});
