import { createConsumer, idempotent, memoryStore, silentLogger } from 'busbar';
import {
  type ContractReport,
  readRepro,
  replayFailure,
  reportAsJson,
  reportAsJunit,
  reportForGithub,
  reportForPeople,
  verifyConsumer,
} from 'busbar/testing';
import { expect, it } from 'vitest';
import { consumerOf, counting, rightConsumer } from './verifying.js';

const scenarios = ['house-move'];

it('a right consumer passes everything', async () => {
  const { make, observe } = consumerOf(rightConsumer);
  const report = await verifyConsumer(make, { observe, scenarios, runs: 10 });
  expect(report.checks.filter(({ status }) => status !== 'passed')).toEqual([]);
  expect(report.passed).toBe(true);
  expect(new Set(report.checks.map(({ name }) => name))).toHaveLength(15);
  expect(report.runsPerSecond).toBeGreaterThan(0);
  expect(report.coverage).toMatchObject({
    handled: ['account.created-v1', 'agreement.created-v1', 'lifecycle.leave-supplier.completed-v3'],
    exercised: expect.arrayContaining(['account.created-v1']),
    branches: { missed: [] },
  });
  const { total, present, absent } = report.coverage.optionalFields;
  expect([present, absent]).toEqual([total, total]);
});

it('the scenarios that show what is handled are found where none are named', async () => {
  const { make } = consumerOf((consumer) => consumer.on('account.occupied', 'v1', () => undefined));
  const { coverage } = await verifyConsumer(make, { only: ['versions'] });
  expect(coverage.exercised).toEqual(['account.occupied-v1']);
});

it('a failure says how much later something comes again than it was remembered for', async () => {
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

it('a failure is shrunk to the fewest deliveries and faults, and can be replayed', async () => {
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
  expect(() => readRepro('other.ndjson', '{"busbar":1}\n')).toThrow('File "other.ndjson" is no failure');
});

it('what is no consumer, handles nothing or is asked for what does not exist is told so', async () => {
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

it('a report is written for people', () => {
  expect(reportForPeople(report, replay)).toMatchInlineSnapshot(`
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

it('a report is written as JUnit XML', () => {
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

it('a report is written as annotations for GitHub, and as JSON without what is delivered', () => {
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
