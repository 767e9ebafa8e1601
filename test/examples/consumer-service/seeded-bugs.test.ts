import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type CheckResult, verifyConsumer } from 'busbar/testing';
import { expect, it, onTestFinished, vi } from 'vitest';
// Its database, a PostgreSQL in WebAssembly, takes seconds to start: here it does once, for all bugs.
import { consumer, contract } from '../../../examples/consumer-service/consumer.ts';
import { run } from '../../command.js';

/** What does not pass, as `emulate verify` reports it. */
const failures = (checks: readonly CheckResult[]) =>
  checks.filter(({ status }) => status !== 'passed').map(({ name, subject }) => `${name} ${subject}`);

/** `emulate verify` of the example, in a process of its own. */
async function verify(...options: readonly string[]) {
  const folder = mkdtempSync(join(tmpdir(), 'busbar-verify-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const module = 'examples/consumer-service/consumer.ts';
  const written = ['--reporter', 'json', '--out', folder];
  const { code, stdout } = await run('emulate', ['verify', module, ...written, '--strict', ...options]);
  const { checks } = JSON.parse(stdout) as { checks: CheckResult[] };
  return { code, failed: failures(checks) };
}

it('emulate verify finds nothing in the example service', async () => {
  expect(await verify('--runs', '3')).toEqual({ code: 0, failed: [] });
});

// What this one does late must not meet what is verified before or after it.
it('emulate verify finds the seeded bug loss-on-shutdown by the check shutdown', async () => {
  vi.stubEnv('SEEDED_BUG', 'loss-on-shutdown');
  onTestFinished(() => void vi.unstubAllEnvs());
  const { code, failed } = await verify('--only', 'shutdown');
  expect(failed).toContain('shutdown billing.ledger.entry_posted-v2');
  expect(code).toBe(1);
});

it.each([
  ['double-count', 'duplicates', 'billing.ledger.entry_posted-v2'],
  ['order-assumption', 'samples', 'lifecycle.leave-supplier.updated-v3'],
  ['optional-field', 'samples', 'billing.ledger.entry_posted-v2'],
  ['payload-mutation', 'mutation', 'lifecycle.leave-supplier.completed-v3'],
  ['missed-version', 'versions', 'lifecycle.leave-supplier.requested-v2'],
  ['swallowed-error', 'platform-errors', 'house-move'],
  ['slow-leak', 'leaks', '5,000 deliveries'],
  ['time-format', 'vary', 'lifecycle.leave-supplier.requested-v3'],
])('the seeded bug %s is found by the check %s, in %s', async (bug, check, subject) => {
  vi.stubEnv('SEEDED_BUG', bug);
  onTestFinished(() => void vi.unstubAllEnvs());
  const { passed, checks } = await verifyConsumer(consumer, { ...contract, only: [check], strict: true });
  expect(failures(checks).filter((each) => each.startsWith(`${check} ${subject}`))).not.toEqual([]);
  expect(passed).toBe(false);
});
