import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type CheckResult, verifyConsumer } from 'busbar-emulator/testing';
import { expect, it, onTestFinished, vi } from 'vitest';
// PostgreSQL in WebAssembly takes seconds to start, so all bugs share one.
import { consumer, contract } from '../../../examples/consumer-service/consumer.ts';
import { checksInProcess } from '../../../emulator/testing/checks/index.js';
import { runProcess } from '../../command.js';

/** The failed checks in a report of `emulate verify`. */
const failures = (checks: readonly CheckResult[]) =>
  checks.filter(({ status }) => status !== 'passed').map(({ name, subject }) => `${name} ${subject}`);

/** Runs `emulate verify` on the example in a child process. */
async function verify(...options: readonly string[]) {
  const folder = mkdtempSync(join(tmpdir(), 'busbar-verify-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const module = 'examples/consumer-service/consumer.ts';
  const written = ['--reporter', 'json', '--out', folder];
  const { code, stdout } = await runProcess('emulate', [
    'verify',
    module,
    ...written,
    '--strict',
    ...options,
  ]);
  const { checks } = JSON.parse(stdout) as { checks: CheckResult[] };
  return { code, failed: failures(checks) };
}

it('verification passes the example service', async () => {
  const only = checksInProcess.map(({ name }) => name);
  const { passed, checks } = await verifyConsumer(consumer, {
    ...contract,
    only,
    runs: 3,
    strict: true,
  });
  expect(failures(checks)).toEqual([]);
  expect(passed).toBe(true);
});

// In its own process: its late writes must not affect other verifications.
it('emulate verify finds the seeded bug loss-on-shutdown with the check floating', async () => {
  vi.stubEnv('SEEDED_BUG', 'loss-on-shutdown');
  onTestFinished(() => void vi.unstubAllEnvs());
  const { code, failed } = await verify('--only', 'floating');
  expect(failed).toContain('floating billing.ledger.entry_posted-v2');
  expect(code).toBe(1);
});

const bugs = [
  ['double-count', 'duplicates', 'house-move date=changed'],
  ['missed-version', 'versions', 'lifecycle.leave-supplier.requested-v2'],
  ['optional-field', 'samples', 'billing.ledger.entry_posted-v2'],
  ['payload-mutation', 'mutation', 'lifecycle.leave-supplier.completed-v3'],
  ['swallowed-error', 'platform', 'house-move'],
  ['time-format', 'vary', 'lifecycle.leave-supplier.requested-v3'],
  ['slow-leak', 'leaks', 'new events'],
] as const;

it.each(bugs)(
  'verification finds the seeded bug %s with the check %s, in %s',
  async (bug, check, subject) => {
    vi.stubEnv('SEEDED_BUG', bug);
    onTestFinished(() => void vi.unstubAllEnvs());
    const { passed, checks } = await verifyConsumer(consumer, { ...contract, only: [check], strict: true });
    expect(failures(checks).filter((each) => each.startsWith(`${check} ${subject}`))).not.toEqual([]);
    expect(passed).toBe(false);
  },
);
