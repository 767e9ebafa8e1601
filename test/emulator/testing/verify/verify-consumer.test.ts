import { readFileSync } from 'node:fs';
import { createConsumer, silentLogger } from 'busbar';
import { idempotent, memoryStore } from 'busbar/idempotency';
import {
  type ContractReport,
  readRepro,
  replayFailure,
  reportAsJson,
  reportAsJunit,
  reportForGithub,
  formatText,
  verifyConsumer,
} from 'busbar-emulator/testing';
import { expect, it } from 'vitest';
import { checks } from '../../../../emulator/testing/checks/index.js';
import { consumerOf, counting, rightConsumer } from './verifying.js';

const scenarios = ['house-move'];

it('verifyConsumer passes a correct consumer', async () => {
  const { make, observe } = consumerOf(rightConsumer);
  const report = await verifyConsumer(make, { observe, scenarios, runs: 10 });
  expect(report.checks.filter(({ status }) => status !== 'passed')).toEqual([]);
  expect(report.passed).toBe(true);
  // The consumer asks no REST API.
  const played = checks.map(({ name }) => name).filter((name) => name !== 'platform-errors');
  expect([...new Set(report.checks.map(({ name }) => name))].sort()).toEqual(played.sort());
  expect(report.runsPerSecond).toBeGreaterThan(0);
  expect(report.coverage).toMatchObject({
    handled: ['account.created-v1', 'agreement.created-v1', 'lifecycle.leave-supplier.completed-v3'],
    exercised: expect.arrayContaining(['account.created-v1']),
    branches: { missed: [] },
  });
  const { total, present, absent } = report.coverage.optionalFields;
  expect([present, absent]).toEqual([total, total]);
});

it('verifyConsumer selects the scenarios that send the handled events', async () => {
  const { make } = consumerOf((consumer) => consumer.on('account.occupied', 'v1', () => undefined));
  const { coverage } = await verifyConsumer(make, { only: ['versions'] });
  expect(coverage.exercised).toEqual(['account.occupied-v1']);
});

it('verifyConsumer reports the delay of a duplicate that the consumer has forgotten', async () => {
  const state = new Map<string, number>();
  const make = () => {
    const consumer = createConsumer({ logger: silentLogger });
    consumer.use(idempotent({ store: memoryStore({ ttl: 60 * 60 * 1000 }) }));
    consumer.on('account.created', 'v1', ({ payload: { account_number } }) => {
      state.set(account_number, (state.get(account_number) ?? 0) + 1);
    });
    return consumer;
  };
  const contract = { observe: () => [...state], reset: () => state.clear() };
  const { checks } = await verifyConsumer(make, { ...contract, scenarios, only: ['duplicates'] });
  expect(checks.filter(({ status }) => status === 'failed')).toMatchObject([
    {
      subject: 'house-move',
      repro: {
        deliveries: [
          '"account.created-v1"',
          expect.stringMatching(/^"account\.created-v1" \(duplicate, \d\d days later\)$/) as string,
        ],
      },
    },
  ]);
});

it('verifyConsumer shrinks a failure to the fewest deliveries and faults', async () => {
  const { make, observe } = consumerOf(counting);
  const options = { observe, scenarios, runs: 10, only: ['faults'] };
  const once = await verifyConsumer(make, options);
  const [failed] = once.checks;
  expect(failed?.repro?.deliveries).toEqual(['"account.created-v1"', '"account.created-v1" (duplicate)']);
  expect(failed?.repro?.file).toMatch(/^repro-[0-9a-f]{12}\.ndjson$/);
  expect((await verifyConsumer(make, options)).checks).toEqual(once.checks);

  const kept = readRepro(failed!.repro!.file, failed!.repro!.content);
  expect(await replayFailure(make, kept, { observe })).toMatchObject({
    name: 'faults',
    status: 'failed',
    reason: failed?.reason,
  });
  const right = consumerOf(rightConsumer);
  expect(await replayFailure(right.make, kept, { observe: right.observe })).toMatchObject({
    status: 'passed',
  });
  expect(() => readRepro('other.ndjson', '{"busbar":1}\n')).toThrow(
    'File "other.ndjson" is not a failure file',
  );
});

it('verifyConsumer rejects a missing consumer, missing handlers and unknown names', async () => {
  const nothing = () => createConsumer({ logger: silentLogger });
  await expect(verifyConsumer(nothing)).rejects.toMatchObject({ code: 'no-handlers' });
  await expect(verifyConsumer({} as never)).rejects.toThrow('has no "run"');
  const { make } = consumerOf(rightConsumer);
  await expect(verifyConsumer(make, { only: ['duplicate'] })).rejects.toThrow('Did you mean "duplicates"');
  await expect(verifyConsumer(make, { scenarios: ['house-mov'] })).rejects.toMatchObject({
    code: 'unknown-scenario',
  });
  await expect(verifyConsumer(make, { faults: ['drop' as never] })).rejects.toThrow('"drop"');
  await expect(verifyConsumer(make, { runs: -1 })).rejects.toThrow('"runs"');
});

const report: ContractReport = {
  passed: false,
  seed: 1,
  checks: [
    { name: 'samples', subject: 'account.created-v1', status: 'passed' },
    {
      name: 'duplicates',
      subject: 'account.created-v1',
      status: 'failed',
      reason: 'the state is another at "/<n>", 100%.',
      repro: { file: 'repro-1.ndjson', content: '{}\n', deliveries: ['"account.created-v1" (duplicate)'] },
    },
    { name: 'versions', subject: 'agreement.created-v1', status: 'warned', reason: 'There is "v2".' },
    { name: 'faults', subject: 'states', status: 'not-run', reason: 'Give "observe".' },
  ],
  coverage: {
    handled: ['account.created-v1'],
    exercised: [],
    branches: { taken: ['house-move account=new'], missed: [] },
    optionalFields: { total: 1, present: 1, absent: 0 },
  },
  runsPerSecond: 20,
  duration: 1500,
};
const replay = (file: string) => `emulate verify consumer.js --repro ${file}`;

it('formatText writes a text report', () => {
  expect(formatText(report, replay)).toMatchInlineSnapshot(`
    "✓ samples           1 of 1
    ✗ duplicates        0 of 1
        ✗ account.created-v1: the state is another at "/<n>", 100%.
            "account.created-v1" (duplicate)
            emulate verify consumer.js --repro repro-1.ndjson
    ! versions          0 of 1
        ! agreement.created-v1: There is "v2".
    - faults            not run
        - states: Give "observe".

    Events: 1 handled, 0 of them in scenarios. Branches: 1 of 1 outcomes.
    Optional fields: 1, of which 1 were seen present and 0 absent.
    Fault plans: 20 a second.
    FAILED: 1 passed, 1 failed, 1 warned, 1 not run (seed 1, 1.5 s).
    "
  `);
});

it('reportAsJunit writes JUnit XML', () => {
  expect(reportAsJunit(report)).toMatchInlineSnapshot(`
    "<?xml version="1.0" encoding="UTF-8"?>
    <testsuites name="emulate verify" tests="4" failures="1" skipped="1" time="1.500">
      <testsuite name="samples" tests="1" failures="0" skipped="0">
        <testcase classname="samples" name="account.created-v1"/>
      </testsuite>
      <testsuite name="duplicates" tests="1" failures="1" skipped="0">
        <testcase classname="duplicates" name="account.created-v1"><failure message="the state is another at &quot;/&lt;n&gt;&quot;, 100%.">the state is another at &quot;/&lt;n&gt;&quot;, 100%.&#10;repro-1.ndjson&#10;&quot;account.created-v1&quot; (duplicate)</failure></testcase>
      </testsuite>
      <testsuite name="versions" tests="1" failures="0" skipped="0">
        <testcase classname="versions" name="agreement.created-v1"><system-out>There is &quot;v2&quot;.</system-out></testcase>
      </testsuite>
      <testsuite name="faults" tests="1" failures="0" skipped="1">
        <testcase classname="faults" name="states"><skipped message="Give &quot;observe&quot;."/></testcase>
      </testsuite>
    </testsuites>
    "
  `);
});

it('reporters write annotations for GitHub, and JSON without the content of failures', () => {
  const [error, warning] = reportForGithub(report, 'consumer.js', replay).split('\n');
  expect(error).toBe(
    '::error file=consumer.js,title=duplicates%3A account.created-v1::the state is another at "/<n>", 100%25.',
  );
  expect(warning).toMatch(/^::warning file=consumer\.js,title=versions/);
  const { checks } = JSON.parse(reportAsJson(report)) as ContractReport;
  expect(checks[1]?.repro).toEqual({
    file: 'repro-1.ndjson',
    deliveries: ['"account.created-v1" (duplicate)'],
  });
});

it('docs/guides/verify.md lists every check in the order of play', () => {
  const page = readFileSync(new URL('../../../../docs/guides/verify.md', import.meta.url), 'utf8');
  const [, section = ''] = page.split('### What is checked\n');
  const rows = [...(section.split('\n### ')[0] ?? '').matchAll(/^\| `([a-z-]+)`/gm)].map(([, name]) => name);
  expect(rows).toEqual(checks.map(({ name }) => name));
});
