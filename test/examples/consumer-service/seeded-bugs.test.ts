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

// Every event is a transaction.
const patience = 600_000;

it('emulate verify finds nothing in the example service', { timeout: patience }, async () => {
  const folder = mkdtempSync(join(tmpdir(), 'busbar-verify-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const module = 'examples/consumer-service/consumer.ts';
  const options = ['--reporter', 'json', '--out', folder, '--strict', '--runs', '3'];
  const { code, stdout } = await run('emulate', ['verify', module, ...options]);
  const { checks } = JSON.parse(stdout) as { checks: CheckResult[] };
  expect({ code, failed: failures(checks) }).toEqual({ code: 0, failed: [] });
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
])(
  'the seeded bug %s is found by the check %s, in %s',
  { timeout: patience },
  async (bug, check, subject) => {
    vi.stubEnv('SEEDED_BUG', bug);
    onTestFinished(() => void vi.unstubAllEnvs());
    const { passed, checks } = await verifyConsumer(consumer, { ...contract, only: [check], strict: true });
    expect(failures(checks).filter((each) => each.startsWith(`${check} ${subject}`))).not.toEqual([]);
    expect(passed).toBe(false);
  },
);
