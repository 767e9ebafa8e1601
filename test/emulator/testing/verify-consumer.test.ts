import { AsyncResource } from 'node:async_hooks';
import { randomUUID } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { type AnyEvent, createConsumer, openCatalogue, silentLogger } from 'busbar';
import { idempotent, memoryStore } from 'busbar/idempotency';
import {
  type Acceptance,
  type Cause,
  type ContractReport,
  type Finding,
  readRepro,
  replayFailure,
  reportAsJson,
  reportAsJunit,
  reportForGithub,
  formatText,
  summaryForGithub,
  verifyConsumer,
} from 'busbar-emulator/testing';
import { describe, expect, it } from 'vitest';
import { accept, readAcceptances } from '../../../emulator/testing/verify/accept.js';
import { type DiagnosisName, diagnoses } from '../../../emulator/testing/verify/causes.js';
import {
  cut,
  type Judged,
  judgedBy,
  notRun,
  reportOf,
  type ReportOptions,
} from '../../../emulator/testing/verify/report.js';
import { checks, checksInProcess } from '../../../emulator/testing/checks/index.js';
import { consumerOf, counting, makerOf, rightConsumer } from './verify/verifying.js';

const scenarios = ['house-move'];

it('verifyConsumer passes a correct consumer', async () => {
  const { make, observe } = consumerOf(rightConsumer);
  const report = await verifyConsumer(make, { observe, scenarios, runs: 10 });
  expect(report.checks.filter(({ status }) => status !== 'passed')).toEqual([]);
  expect(report.passed).toBe(true);
  // The consumer asks no REST API, and handles no two versions of an event.
  const played = checksInProcess
    .map(({ name }) => name)
    .filter((name) => name !== 'platform' && name !== 'occurrences');
  expect([...new Set(report.checks.map(({ name }) => name))].sort()).toEqual(played.sort());
  expect(report.runsPerSecond).toBeGreaterThan(0);
  expect(report.coverage).toMatchObject({
    handled: ['account.created-v1', 'agreement.created-v1', 'lifecycle.leave-supplier.completed-v3'],
    exercised: expect.arrayContaining(['account.created-v1']),
    branches: { missed: [] },
  });
  expect(report.coverage.optionalFields).toMatchObject({ neverPresent: [], neverAbsent: [] });
});

it('verifyConsumer leaves nothing that each later promise of the process carries', async () => {
  // Node 20 copies each storage that is still on to every new promise, as a property with a symbol.
  const carried = () => Object.getOwnPropertySymbols(new AsyncResource('later')).length;
  const { make, observe } = consumerOf(rightConsumer);
  const before = carried();
  await verifyConsumer(make, { observe, scenarios, only: ['floating', 'crashes'] });
  expect(carried()).toBe(before);
});

it('verifyConsumer samples lists with the fewest items that a schema allows', async () => {
  const item = { type: 'object', properties: { rates: { type: 'array', items: { type: 'number' } } } };
  const catalogue = openCatalogue({
    events: [
      {
        $id: 'tariff.changed-v1',
        'x-event-type': 'tariff.changed',
        'x-event-version': 'v1',
        type: 'object',
        properties: {
          bands: { type: 'array', minItems: 1, items: item },
          notes: { type: 'array', items: { type: 'string' } },
        },
        required: ['bands'],
      },
    ],
  });
  const handled: unknown[] = [];
  const consumer = createConsumer({ catalogue, logger: silentLogger });
  consumer.on(
    'tariff.changed' as never,
    'v1' as never,
    ({ payload }: AnyEvent) => void handled.push(payload),
  );
  await verifyConsumer(consumer, { catalogue, only: ['samples'] });
  expect(handled).toContainEqual({ bands: [{ rates: [] }], notes: [] });
});

it('verifyConsumer selects the scenarios that send the handled events', async () => {
  const { make } = consumerOf((consumer) => consumer.on('account.occupied', 'v1', () => undefined));
  const { coverage } = await verifyConsumer(make, { only: ['versions'] });
  expect(coverage.exercised).toEqual(['account.occupied-v1']);
});

it('verifyConsumer compares states without what each run generates, and says so', async () => {
  const { make, observe } = consumerOf((consumer, state) =>
    consumer.on('account.created', 'v1', ({ payload }) => {
      const { count = 0 } = (state.get(payload.account_number) ?? {}) as { readonly count?: number };
      state.set(payload.account_number, { id: randomUUID(), count: count + 1 });
    }),
  );
  const { causes, notes } = await verifyConsumer(make, { observe, scenarios, only: ['duplicates'] });
  expect(causes).toMatchObject([{ diagnosis: 'not-idempotent', shown: { fields: ['count'] } }]);
  expect(notes).toEqual(['Not compared (differs between two equal runs, or numbers rows): /*/id.']);
});

it('verifyConsumer names fields with sums of binary fractions', async () => {
  const { make, observe } = consumerOf((consumer, state) =>
    consumer.on('account.created', 'v1', ({ payload }) => {
      state.set(payload.account_number, { debt: 0.1 + 0.2, third: 1 / 3, pounds: 12.35, parts: 0.3 });
    }),
  );
  const { notes } = await verifyConsumer(make, { observe, scenarios, only: ['baseline'] });
  expect(notes).toEqual([
    'Not exact, because sums of binary fractions are not: /*/debt. Compute money in whole pence.',
  ]);
});

it('verifyConsumer ignores the gap that a refused insert leaves in serial numbers', async () => {
  let serial = 0;
  const accounts = new Map<string, { id: number; number: string }>();
  const agreements = new Map<string, { id: number; account_id: number }>();
  const idOf = (number: string) => {
    serial++;
    const account = accounts.get(number) ?? { id: serial, number };
    accounts.set(number, account);
    return account.id;
  };
  const make = makerOf((consumer) => {
    consumer.on('account.created', 'v1', ({ payload }) => void idOf(payload.account_number));
    consumer.on('agreement.created', 'v1', ({ id = '', payload }) => {
      const account_id = idOf(payload.account_number);
      if (!agreements.has(id)) agreements.set(id, { id: agreements.size + 1, account_id });
    });
  });
  const observe = () => ({ account: [...accounts.values()], agreement: [...agreements.values()] });
  const reset = () => {
    serial = 0;
    for (const table of [accounts, agreements]) table.clear();
  };
  const { causes, notes } = await verifyConsumer(make, { observe, reset, scenarios, only: ['duplicates'] });
  expect(causes).toEqual([]);
  expect(notes[0]).toContain('/account/*/id, /agreement/*/id, /agreement/*/account_id');
});

it('verifyConsumer compares no states that are not emptied between runs', async () => {
  const state = new Map<string, number>();
  const consumer = createConsumer({ logger: silentLogger });
  counting(consumer, state);
  const report = await verifyConsumer(consumer, { observe: () => state, scenarios, only: ['duplicates'] });
  expect(report.checks).toMatchObject([{ status: 'not-run', reason: expect.stringContaining('"reset"') }]);
});

it.each([
  ['counts again', ({ id = '' }: AnyEvent) => `${id} ${performance.now()}`],
  ['ignores what it has stored', ({ id = '' }: AnyEvent) => id],
])('verifyConsumer refuses a "reset" that leaves the state of a consumer that %s', async (_title, keyOf) => {
  const state = new Map<string, unknown>();
  const { make } = consumerOf((consumer) =>
    consumer.on('account.created', 'v1', (event) => void state.set(keyOf(event), 1)),
  );
  const contract = { observe: () => state, scenarios, only: ['duplicates'] };
  const verifying = verifyConsumer(make, { ...contract, reset: () => undefined });
  await expect(verifying).rejects.toMatchObject({
    code: 'invalid-option',
    message: expect.stringMatching(/^"reset" leaves state behind, at "\//) as string,
  });
  // The time of a reading may differ.
  const observe = () => ({ at: performance.now(), state });
  const { checks } = await verifyConsumer(make, { ...contract, observe, reset: () => state.clear() });
  expect(checks).toMatchObject([{ name: 'duplicates', status: expect.not.stringMatching('not-run') }]);
});

it('verifyConsumer reports the delay of a duplicate that the consumer has forgotten', async () => {
  const state = new Map<string, number>();
  const forgetful = () => memoryStore({ ttl: 60 * 60 * 1000 });
  let store = forgetful();
  const reset = () => {
    state.clear();
    store = forgetful();
  };
  const make = makerOf((consumer) => {
    consumer.use(idempotent({ store }));
    consumer.on('account.created', 'v1', ({ payload: { account_number } }) => {
      state.set(account_number, (state.get(account_number) ?? 0) + 1);
    });
  });
  const contract = { observe: () => [...state], reset };
  const { causes } = await verifyConsumer(make, { ...contract, scenarios, only: ['duplicates'] });
  const copy = expect.stringMatching(
    /^"account\.created-v1" \(duplicate, \d+ (hour|day)s? later\)$/,
  ) as string;
  expect(causes).toMatchObject([
    {
      diagnosis: 'forgets-too-soon',
      subjects: ['house-move'],
      shown: { repro: { deliveries: ['"account.created-v1"', copy] } },
    },
  ]);
  const shorter = { ...contract, scenarios, redelivery: '30m', only: ['duplicates'] };
  expect((await verifyConsumer(make, shorter)).passed).toBe(true);
});

it('verifyConsumer names memory that a restart empties as one cause', async () => {
  const state = new Map<string, number>();
  const make = makerOf((consumer) => {
    const seen = new Set<string | undefined>();
    consumer.on('account.created', 'v1', ({ id, payload: { account_number } }) => {
      if (!seen.has(id)) state.set(account_number, (state.get(account_number) ?? 0) + 1);
      seen.add(id);
    });
  });
  const contract = { observe: () => state, reset: () => state.clear(), scenarios };
  const only = ['duplicates', 'faults'];
  const { causes } = await verifyConsumer(make, { ...contract, only, faults: ['duplicate', 'restart'] });
  expect(causes).toMatchObject([{ diagnosis: 'forgets-at-restart', checks: only }]);
});

it('verifyConsumer names memory that is lost between versions of an occurrence', async () => {
  const state = new Map<string, number>();
  const make = makerOf((consumer) => {
    const seen = new Set<string | undefined>();
    consumer.on('billing.ledger.entry_posted', ['v1', 'v2'], ({ occurrenceId, payload: { ledger } }) => {
      const { number } = ledger.account;
      if (!seen.has(occurrenceId)) state.set(number, (state.get(number) ?? 0) + 1);
      seen.add(occurrenceId);
    });
  });
  const contract = { observe: () => state, reset: () => state.clear(), scenarios };
  const options = { ...contract, only: ['crashes', 'faults'], faults: ['restart'] as const };
  const { causes } = await verifyConsumer(make, options);
  expect(causes).toMatchObject([{ diagnosis: 'forgets-at-restart', checks: ['crashes', 'faults'] }]);
});

it('verifyConsumer shrinks a failure to the fewest deliveries and faults', async () => {
  const { make, observe } = consumerOf(counting);
  const options = { observe, scenarios, runs: 10, only: ['faults'] };
  const once = await verifyConsumer(make, options);
  const [cause] = once.causes;
  const { repro, reason, rate } = cause!.shown;
  expect(repro?.deliveries).toEqual(['"account.created-v1"', '"account.created-v1" (duplicate)']);
  expect(repro?.file).toBe(`repro-${cause!.id}.json`);
  expect(rate).toEqual({ shown: 2, of: 2 });
  expect((await verifyConsumer(make, options)).causes).toEqual(once.causes);

  const kept = readRepro(repro!.file, repro!.content);
  expect(await replayFailure(make, kept, { observe })).toMatchObject({
    name: 'faults',
    status: 'failed',
    reason,
    cause: cause!.id,
  });
  const right = consumerOf(rightConsumer);
  expect(await replayFailure(right.make, kept, { observe: right.observe })).toMatchObject({
    status: 'passed',
  });
  expect(() => readRepro('other.ndjson', '{"busbar":1}\n')).toThrow(
    'File "other.ndjson" is not a failure file',
  );
});

it('names the event that a consumer with another catalogue rejects, and why', async () => {
  const changed = (required: string[]) =>
    openCatalogue({
      events: [
        {
          'x-event-type': 'tariff.changed',
          'x-event-version': 'v1',
          type: 'object',
          properties: { tariff_code: { type: 'string' }, price: { type: 'number' } },
          required,
        },
      ],
    });
  const catalogue = changed(['tariff_code', 'price', 'day']);
  const make = makerOf((consumer) => consumer.on('tariff.changed' as never, 'v1' as never, () => undefined), {
    catalogue,
  });
  await expect(verifyConsumer(make, { catalogue: changed(['tariff_code']) })).rejects.toThrow(
    'The consumer handles no event of the catalogue: it rejects a valid "tariff.changed-v1" (invalid-event). Pass its wire format as',
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

const wrote: Finding = {
  check: 'duplicates',
  subject: 'account.created-v1',
  diagnosis: 'fails-when-repeated',
  about: 'account.created-v1',
  status: 'failed',
  reason: 'When events are delivered twice, it is dead-lettered at "/<n>", 100%.',
  error: {
    kind: 'DatabaseError',
    code: '23505',
    constraint: 'account_pkey',
    message: 'duplicate key value',
    frame: {
      at: 'src/accounts.ts:18:9',
      lines: [
        { number: 17, text: '  async ({ payload }) => {' },
        { number: 18, text: '    await db.query(insert);' },
      ],
    },
  },
  rate: { shown: 2, of: 2 },
  repro: { file: 'repro-eb27c4.json', content: '{}\n', deliveries: ['"account.created-v1" (duplicate)'] },
};

const result = { duration: 500, status: 'passed', subject: 'account.created-v1' } as const;

const failed = { ...result, status: 'failed', reason: wrote.reason } as const;

const missed: Finding = {
  check: 'versions',
  subject: 'account.created-v1',
  diagnosis: 'misses-version',
  about: 'account.created-v1',
  status: 'warned',
  reason: 'There is "v2".',
};

const results: readonly Judged[] = [
  { ...result, name: 'samples' },
  { ...failed, name: 'duplicates', finding: wrote },
  { ...failed, name: 'crashes', finding: { ...wrote, check: 'crashes' } },
  { ...result, ...judgedBy('versions', 'account.created-v1', missed) },
  notRun('faults', 'states', 'Give "observe".'),
];

const about = {
  seed: 1,
  notes: ['not compared: bill.id'],
  coverage: {
    handled: ['account.created-v1'],
    exercised: [],
    branches: { taken: ['house-move account=new'], missed: ['house-move account=old'] },
    optionalFields: { total: 1, neverPresent: [], neverAbsent: ['account.created-v1/is_imported'] },
  },
  runsPerSecond: 20,
  duration: 1500,
};
const today = '2026-11-22';
const reportOn = (judged: readonly Judged[], options: Partial<ReportOptions> = {}) =>
  reportOf(judged, about, { today, ...options });
const report = reportOn(results);
const replay = (file: string) => `emulate verify consumer.js --repro ${file}`;

function suspected(name: string, subject: string, reason: string): Judged {
  return { name, subject, status: 'suspected', reason, duration: 0 };
}

function failing(check: string, diagnosis: DiagnosisName, more: Partial<Finding>): Judged {
  const found = { check, subject: 'bill-v1', about: 'bill-v1', reason: 'It fails.', diagnosis };
  const finding = { ...found, status: 'failed' as const, ...more };
  return { name: check, subject: 'bill-v1', status: 'failed', duration: 0, finding };
}

it('formatText writes each cause once', () => {
  expect(formatText(report, replay)).toMatchInlineSnapshot(`
    "✗ eb27c4  account.created-v1: fails when the event comes again  (duplicates, crashes)
        When events are delivered twice, it is dead-lettered at "/<n>", 100%.
        DatabaseError: duplicate key value: 23505, constraint "account_pkey"
            at src/accounts.ts:18:9
              17 |   async ({ payload }) => {
            > 18 |     await db.query(insert);
        Shown 2 of 2 times, by 1 delivery:
            "account.created-v1" (duplicate)
        Fix: Write with ON CONFLICT DO NOTHING, or pass the event through idempotent(). See "Process events once" in Busbar's documentation.
        Again: emulate verify consumer.js --repro repro-eb27c4.json

    ! 0ee696  account.created-v1: has no handler for a later version  (versions)
        There is "v2".
        Fix: Add a handler for the later version. See "Handle versions" in Busbar's documentation.

    ✓ samples
    - not run: faults: Give "observe".
    - not compared: bill.id

    Events: 1 handled, 0 of them in scenarios. Branches: 1 of 2 outcomes, without house-move account=old.
    Optional fields: 1, never absent: account.created-v1/is_imported.
    Fault plans: 20 a second.
    FAILED: 1 cause. Results: 1 passed, 2 failed, 1 warned, 1 not run (seed 1, 1.5 s).
    "
  `);
});

it('formatText shows the faults of a reproduction with many deliveries', () => {
  const faulty = ['"last-v1" (duplicate)', 'the service is killed'];
  const deliveries = [...Array.from({ length: 12 }, (_, nth) => `"event-${nth}-v1"`), ...faulty];
  const finding = { ...wrote, repro: { ...wrote.repro!, deliveries } };
  const text = formatText(reportOn([{ ...failed, name: 'duplicates', finding }]), replay);
  const [, listed = ''] = /by 13 deliveries:\n([^]*)\n {4}Fix:/.exec(text) ?? [];
  expect(listed.split('\n').map((line) => line.trim())).toEqual([
    ...deliveries.slice(0, 6),
    ...faulty,
    'and 6 more',
  ]);
});

it('formatText and the summary advise nothing on a failure that no replay showed', () => {
  const { error: _error, rate: _rate, repro: _repro, ...seen } = wrote;
  const finding: Finding = { ...seen, status: 'unconfirmed', diagnosis: 'diverged' };
  const once = reportOn([{ ...result, name: 'duplicates', status: 'unconfirmed', finding }]);
  expect(formatText(once, replay)).toContain('It did not recur in a replay, so it is not a failure.\n\n');
  expect(summaryForGithub(once)).not.toContain('Fix:');
});

it('reportAsJunit writes a case for each check and event, and each cause once', () => {
  expect(reportAsJunit(report, replay)).toMatchInlineSnapshot(`
    "<?xml version="1.0" encoding="UTF-8"?>
    <testsuites name="emulate verify" tests="5" failures="2" skipped="1" time="1.500">
      <testsuite name="samples" tests="1" failures="0" skipped="0" time="0.500">
        <testcase classname="samples" name="account.created-v1" time="0.500"/>
      </testsuite>
      <testsuite name="duplicates" tests="1" failures="1" skipped="0" time="0.500">
        <testcase classname="duplicates" name="account.created-v1" time="0.500"><failure message="eb27c4 account.created-v1: fails when the event comes again">✗ eb27c4  account.created-v1: fails when the event comes again  (duplicates, crashes)&#10;    When events are delivered twice, it is dead-lettered at &quot;/&lt;n&gt;&quot;, 100%.&#10;    DatabaseError: duplicate key value: 23505, constraint &quot;account_pkey&quot;&#10;        at src/accounts.ts:18:9&#10;          17 |   async ({ payload }) =&gt; {&#10;        &gt; 18 |     await db.query(insert);&#10;    Shown 2 of 2 times, by 1 delivery:&#10;        &quot;account.created-v1&quot; (duplicate)&#10;    Fix: Write with ON CONFLICT DO NOTHING, or pass the event through idempotent(). See &quot;Process events once&quot; in Busbar's documentation.&#10;    Again: emulate verify consumer.js --repro repro-eb27c4.json</failure></testcase>
      </testsuite>
      <testsuite name="crashes" tests="1" failures="1" skipped="0" time="0.500">
        <testcase classname="crashes" name="account.created-v1" time="0.500"><failure message="eb27c4 account.created-v1: fails when the event comes again">When events are delivered twice, it is dead-lettered at &quot;/&lt;n&gt;&quot;, 100%.</failure></testcase>
      </testsuite>
      <testsuite name="versions" tests="1" failures="0" skipped="0" time="0.500">
        <testcase classname="versions" name="account.created-v1" time="0.500"><system-out>There is &quot;v2&quot;.</system-out></testcase>
      </testsuite>
      <testsuite name="faults" tests="1" failures="0" skipped="1" time="0.000">
        <testcase classname="faults" name="states" time="0.000"><skipped message="Give &quot;observe&quot;."/></testcase>
      </testsuite>
    </testsuites>
    "
  `);
});

it('reportAsJunit names each case once, also if an event fails in two ways', () => {
  const failing = (reason: string) => ({ ...suspected('crashes', 'bill-v1', reason), duration: 250 });
  const junit = reportAsJunit(reportOn([failing('It fails.'), failing('It hangs.')]));
  expect(junit.match(/<testcase .*/g)).toEqual([
    '<testcase classname="crashes" name="bill-v1" time="0.500"><failure message="It fails.; It hangs.">It fails.&#10;&#10;It hangs.</failure></testcase>',
  ]);
  expect(junit).toContain('<testsuite name="crashes" tests="1" failures="1" skipped="0" time="0.500">');
});

it('reporters write annotations for GitHub, and JSON without the content of failures', () => {
  const [error, warning] = reportForGithub(report, 'consumer.js', replay).split('\n');
  expect(error).toMatch(
    /^::error file=src\/accounts\.ts,line=18,title=[0-9a-f]{6} account\.created-v1%3A fails/,
  );
  expect(error).toContain('"/<n>", 100%25.');
  expect(warning).toMatch(/^::warning file=consumer\.js,title=/);
  const { causes } = JSON.parse(reportAsJson(report)) as ContractReport;
  expect(causes[0]?.shown.repro).toEqual({
    file: 'repro-eb27c4.json',
    deliveries: ['"account.created-v1" (duplicate)'],
  });
  expect(summaryForGithub(report)).toContain('└─ "account.created-v1" (duplicate)\n   ↓\nWhen events');
});

it('reports fail for a failure that was seen and not replayed', () => {
  const verdict = reportOn([suspected('crashes', 'bill-v1', 'A failure was seen.')]);
  expect(verdict.passed).toBe(false);
  const text = formatText(verdict, replay);
  expect(text).toContain('? suspected: crashes: bill-v1: A failure was seen.\n');
  expect(text).toContain('FAILED: a failure was seen and not replayed. Results: 1 suspected');
  expect(reportAsJunit(verdict)).toContain('<failure message="A failure was seen.">');
  expect(reportForGithub(verdict, 'contract.json', replay)).toContain(
    '::error file=contract.json,title=crashes::A failure was seen.\n',
  );
  expect(summaryForGithub(verdict)).toContain('A failure was seen.');
});

it('reports name checks that the budget cut, and fail if strict', () => {
  const judged = ['poison', 'crashes', 'crashes'].map(cut);
  expect(reportOn(judged).passed).toBe(true);
  const incomplete = reportOn(judged, { strict: true });
  expect(incomplete.passed).toBe(false);
  const sentence = 'INCOMPLETE: the budget ended before these checks: poison, crashes. Raise "--budget".';
  expect(formatText(incomplete, replay)).toContain(`\n${sentence} Results: 3 not run (`);
  const annotation = `::error file=contract.json,title=budget::${sentence}\n`;
  expect(reportForGithub(incomplete, 'contract.json', replay)).toContain(annotation);
  expect(summaryForGithub(incomplete)).toContain(sentence);
  expect(formatText(reportOn([...results, ...judged]), replay)).toContain('\nFAILED: 1 cause.');
});

it('reports list results that did not run or are suspected alike in one line', () => {
  const events = ['a-v1', 'b-v1', 'c-v1', 'd-v1'];
  const judged = [
    ...events.map((event) => notRun('platform', event, 'Never met.')),
    ...['samples', 'crashes'].map((name) => notRun(name, 'a-v1', 'The handler hangs.')),
    ...events.slice(2).map((event) => suspected('crashes', event, 'It was seen.')),
  ];
  expect(formatText(reportOn(judged), replay).split('\n').slice(0, 3)).toEqual([
    '- not run: platform: a-v1, b-v1, c-v1 and 1 more: Never met.',
    '- not run: samples, crashes: a-v1: The handler hangs.',
    '? suspected: crashes: c-v1, d-v1: It was seen.',
  ]);
});

it('reports list work that one handler does not await as one cause', () => {
  const error = { kind: 'Timeout', frame: { at: 'src/bills.ts:4:9', lines: [] } };
  const judged = [
    failing('floating', 'work-floats', { error }),
    failing('dependencies', 'work-floats', { fields: ['status'] }),
  ];
  expect(reportOn(judged).causes).toMatchObject([{ checks: ['floating', 'dependencies'] }]);
});

it('reports leave out the messages of errors on request', () => {
  const hidden = reportOn(results, { messages: false });
  expect(formatText(hidden, replay)).not.toContain('duplicate key value');
  expect(formatText(hidden, replay)).toContain('23505');
  const stalled = failing('poison', 'stalled', { output: ['Error: duplicate key value'] });
  expect(formatText(reportOn([stalled], { messages: false }), replay)).not.toContain('duplicate key value');
});

it('reports list an error of a missing field as one cause', () => {
  const error = { kind: 'TypeError', frame: { at: 'src/bills.ts:4:9', lines: [] } };
  const other = { ...error, code: '23503' };
  const { causes, checks } = reportOn([
    failing('baseline', 'handler-fails', { error }),
    failing('samples', 'needs-optional-field', { error }),
    failing('crashes', 'handler-fails', { error: other }),
  ]);
  expect(causes).toMatchObject([
    { diagnosis: 'needs-optional-field', checks: ['baseline', 'samples'] },
    { diagnosis: 'handler-fails', checks: ['crashes'] },
  ]);
  expect(checks.map(({ cause }) => cause)).toEqual([causes[0]!.id, causes[0]!.id, causes[1]!.id]);
});

describe('accepted causes', () => {
  const [{ id }] = report.causes as [Cause];
  const accepted = accept([], report.causes[0]!, { because: 'BUS-412', until: '2027-01-31', today });
  const verdictOn = (day: string, given: readonly Acceptance[] = accepted) =>
    reportOn(results, { accepted: given, today: day, strict: true });

  it('do not fail until their last day', () => {
    const { passed, causes, checks } = verdictOn('2027-01-31');
    expect(passed).toBe(true);
    expect(causes[0]).toMatchObject({ id, status: 'accepted', accepted: { because: 'BUS-412' } });
    expect(checks[1]).toMatchObject({ status: 'accepted', cause: id });
    expect(formatText(verdictOn(today), replay)).toContain('accepted until 2027-01-31, because BUS-412');
    expect(reportAsJunit(verdictOn(today))).toContain('<skipped message="BUS-412"/>');
    expect(verdictOn('2027-02-01').passed).toBe(false);
  });

  it('fail again when another check shows them', () => {
    const narrow = accepted.map((each) => ({ ...each, checks: ['duplicates'] }));
    expect(verdictOn(today, narrow).passed).toBe(false);
  });

  it('become a note when they are fixed, and fail if strict', () => {
    const fixed: readonly Judged[] = results.map(({ finding: _finding, ...each }) => ({
      ...each,
      status: 'passed',
    }));
    const lenient = reportOn(fixed, { accepted });
    expect(lenient).toMatchObject({ passed: true, notes: [about.notes[0], expect.stringContaining(id)] });
    const strict = reportOn(fixed, { accepted, strict: true });
    expect(strict.passed).toBe(false);
    expect(formatText(strict, replay)).toContain('FAILED: accepted causes are fixed.');
    expect(reportAsJunit(strict)).toContain(
      `failures="1" skipped="0" time="0.000">\n    <testcase classname="accepted causes" name="${id}"`,
    );
    expect(reportForGithub(strict, 'consumer.js', replay)).toMatch(
      /^::error file=busbar\.accept\.json,title=accepted causes::Accepted cause [0-9a-f]{6} is fixed: /,
    );
    expect(summaryForGithub(strict)).toContain(`Accepted cause ${id} is fixed: `);
  });

  it('need a reason and a day within a year', () => {
    const given = { because: 'BUS-412', until: '2027-11-23', today };
    expect(() => accept([], report.causes[0]!, given)).toThrow('to 2027-11-22, not "2027-11-23"');
    const text = JSON.stringify({ accepted: [{ ...accepted[0], until: 'soon' }] });
    expect(() => readAcceptances(text)).toThrow(`Accepted cause "${id}" needs`);
    expect(() => readAcceptances('[]')).toThrow('"busbar.accept.json" is not an object');
    expect(readAcceptances(JSON.stringify({ accepted }))).toEqual(accepted);
  });
});

it('docs/reference/checks.md lists every check in order, and every diagnosis', async () => {
  await expect(describeChecks()).toMatchFileSnapshot('../../../docs/reference/checks.md');
});

const docs = join(import.meta.dirname, '../../../docs');

/** Returns the only page with this title, relative to `docs`. */
function pageWith(title: string): string {
  const pages = ['guides', 'reference', 'explanation'].flatMap((section) =>
    readdirSync(join(docs, section))
      .filter((name) => name.endsWith('.md'))
      .map((name) => `${section}/${name}`),
  );
  const found = pages.filter((page) =>
    `\n${readFileSync(join(docs, page), 'utf8')}`.includes(`\n# ${title}\n`),
  );
  expect(found, title).toHaveLength(1);
  return found[0]!;
}

/** Returns the text of `docs/reference/checks.md`. */
function describeChecks(): string {
  const yes = (isTrue: boolean) => (isTrue ? 'yes' : '');
  const rows = checks.map(({ name, title, comparesStates = false, run, overTheWire }) => [
    `\`${name}\``,
    title,
    yes(run !== undefined),
    yes(overTheWire !== undefined),
    yes(comparesStates || run === undefined),
  ]);
  const causes = Object.entries(diagnoses).map(([name, { title, fix, page }]) => [
    `\`${name}\``,
    title,
    `${fix} [${page}](${posix.relative('reference', pageWith(page))})`,
  ]);
  const table = (head: readonly string[], body: readonly (readonly string[])[]) =>
    [head, head.map(() => '---'), ...body].map((row) => `| ${row.join(' | ')} |`).join('\n');
  return `<!-- Written from emulator/testing: npx vitest run test/emulator/testing/verify -u; do not edit. -->

# Checks and diagnoses

[\`emulate verify\`](../guides/verify.md) runs these checks in this order.

${table(['Check', 'A consumer passes if', 'In process', 'As a service', 'Needs a state'], rows)}

The report names one diagnosis for each cause. The subject of a diagnosis is a handler, an event, a table or the service.

${table(['Diagnosis', 'It ...', 'Fix'], causes)}
`;
}
