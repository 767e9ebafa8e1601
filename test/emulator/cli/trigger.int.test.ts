import { execFileSync, spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type EachMessagePayload, Kafka, logLevel } from 'kafkajs';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { openCatalogue } from '../../../catalogue/index.js';
import { startBroker } from '../../../emulator/broker/index.js';
import { cases } from '../../cases.js';
import { commands, run, type Words, wordsOf } from '../../command.js';

const command = join(import.meta.dirname, '../../../emulator/dist/cli/main.js');
const leave = 'lifecycle.leave-supplier.completed-v3';
const catalogue = openCatalogue();
let folder: string;

interface Envelope {
  readonly id: string;
  readonly event_type: string;
  readonly version: string;
  readonly occurred_at: string;
  readonly payload: Record<string, unknown>;
}

interface Result {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
  readonly events: Envelope[];
}

async function trigger(args: Words, environment: NodeJS.ProcessEnv = {}): Promise<Result> {
  for (const [name, value] of Object.entries(environment)) vi.stubEnv(name, value);
  const { code, ...output } = await run('emulate', ['trigger', ...wordsOf(args)]);
  vi.unstubAllEnvs();
  const lines = output.stdout.split('\n').filter((line) => line.startsWith('{'));
  return { code, ...output, events: code === 0 ? lines.map((line) => JSON.parse(line) as Envelope) : [] };
}

async function file(name: string, content: string | Buffer): Promise<string> {
  const path = join(folder, name);
  await writeFile(path, content);
  return path;
}

/** Expects exit code 2, no standard output, and one line on standard error. */
function expectRefusal({ code, stdout, stderr }: Result, message: RegExp): void {
  expect(stderr).toMatch(message);
  expect(stderr.trim().split('\n')).toHaveLength(1);
  expect(stderr).toMatch(/^emulate: /);
  expect(stdout).toBe('');
  expect(code).toBe(2);
}

beforeAll(async () => {
  expect(existsSync(command), 'run "npm run build" first').toBe(true);
  folder = await mkdtemp(join(tmpdir(), 'busbar-trigger-test-'));
});
afterAll(() => rm(folder, { recursive: true }));

describe('emulate trigger', () => {
  it('sends events with the set values, one envelope per line', async () => {
    const fields = '--set account_number=A-1B2C3D4E --set supply_points[0].market_name=GBR_GAS';
    const { code, stderr, events } = await trigger(`${leave} ${fields} --count 10`);
    expect([code, stderr]).toEqual([0, '']);
    expect(events).toHaveLength(10);
    for (const event of events) {
      expect(Object.keys(event)).toEqual(['id', 'event_type', 'version', 'occurred_at', 'payload']);
      expect(event).toMatchObject({ event_type: 'lifecycle.leave-supplier.completed', version: 'v3' });
      expect(event.payload).toMatchObject({
        account_number: 'A-1B2C3D4E',
        supply_points: expect.arrayContaining([
          expect.objectContaining({
            market_name: 'GBR_GAS',
            external_identifier: expect.stringMatching(/^\d{10}$/),
          }),
        ]),
      });
      expect(await catalogue.explain(catalogue.named(leave)!, event.payload, { strict: true })).toEqual([]);
    }
    const ids = events.map(({ id }) => id);
    expect(
      ids.every((id) => /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/.test(id)),
    ).toBe(true);
    expect(new Set(ids).size).toBe(10);
    expect(ids).toEqual(ids.toSorted());
    expect(new Set(events.map(({ payload }) => payload.leave_supplier_process_number)).size).toBe(10);
  });

  it('sends the same bytes for the same seed, and others for another', async () => {
    const [one, same, other] = await Promise.all(
      ['7', '7', '8'].map((seed) => trigger(`billing.final_bill-v1 --count 3 --seed ${seed}`)),
    );
    expect(one!.stdout).toBe(same!.stdout);
    expect(one!.stdout).not.toBe(other!.stdout);
    expect(one!.events).toHaveLength(3);
  });

  it('finds events with irregular names', async () => {
    for (const name of [
      'lifecycle.support-site.sale-1.0.0',
      'dunning_path_started-v1',
      'auth-server.access-token.issued-v1',
    ]) {
      const { events } = await trigger(name);
      expect(`${events[0]!.event_type}-${events[0]!.version}`).toBe(name);
    }
  });

  it.each(['--envelope', '--topic', '--catalogue'])('refuses %s with --to emulator', async (flag) => {
    const { code, stderr } = await trigger(`account.created --to emulator ${flag} x`);
    expect({ code, stderr }).toEqual({
      code: 2,
      stderr: `emulate: Option "${flag}" has no effect with --to emulator. Give it to the running emulator.\n`,
    });
  });

  it('selects the newest version of a bare type, and reports it', async () => {
    const several = await trigger('agreement.updated');
    expect(several.events[0]!.version).toBe('v2');
    expect(several.stderr).toBe(
      'emulate: "agreement.updated" has "v1", "v2"; this is "agreement.updated-v2".\n',
    );
    const single = await trigger('account.created');
    expect([single.events[0]!.version, single.stderr]).toEqual(['v1', '']);
  });

  it('parses values by schema', async () => {
    const numbers = '--set building_number=7 --set pulse_value=0.5';
    const others = '--set bypass_fitted=true --set county=12 --set instructions=';
    const { events } = await trigger(`meterpoint.gas.cos_gain.mtd_received ${numbers} ${others}`);
    expect(events[0]!.payload).toMatchObject({
      building_number: 7,
      pulse_value: 0.5,
      bypass_fitted: true,
      county: '12',
      instructions: '',
    });
    const composite = await trigger(
      'account.updated --set changes={"a":{"old":1,"new":2}} --set account_user_emails=["x@example.com"]',
    );
    expect(composite.events[0]!.payload).toMatchObject({
      changes: { a: { old: 1, new: 2 } },
      account_user_emails: ['x@example.com'],
    });
  });

  it('removes unset fields', async () => {
    const { events } = await trigger('account.created-v1 --set is_imported=true --unset is_imported');
    expect(events[0]!.payload).not.toHaveProperty('is_imported');
    const shorter = await trigger(
      `${leave} --set supply_points[1].market_name=GBR_GAS --unset supply_points[0]`,
    );
    expect(shorter.events[0]!.payload.supply_points).toMatchObject([{ market_name: 'GBR_GAS' }]);
  });

  it('sends a payload from a file or a pipe, or invalid with --no-validate', async () => {
    const raw = await file(
      'final-bill.json',
      '\uFEFF{"account_number":"A-00000001","account_user_emails":[],"statement_id":1}',
    );
    const more = wordsOf('--set statement_id=2 --count 2');
    const { events } = await trigger(['billing.final_bill-v1', '--raw', raw, ...more]);
    const payload = { account_number: 'A-00000001', account_user_emails: [], statement_id: 2 };
    expect(events.map((event) => event.payload)).toEqual([payload, payload]);
    expectRefusal(await trigger('account.created --set count=1'), /has no field "count": the fields of/);
    const input = await readFile(raw);
    const command = [commands.emulate, 'trigger', 'billing.final_bill-v1', '--raw', '-'];
    const piped = execFileSync(process.execPath, command, { input, encoding: 'utf8' });
    expect((JSON.parse(piped) as Envelope).payload).toEqual({ ...payload, statement_id: 1 });
    const odd = await file('odd.json', '{"anything":["goes"]}');
    const forced = await trigger(['billing.final_bill-v1', '--raw', odd, '--no-validate']);
    expect(forced.events[0]!.payload).toEqual({ anything: ['goes'] });
    expectRefusal(
      await trigger(['billing.final_bill-v1', '--raw', odd]),
      /"\/account_number" is required \(rule "required"\)/,
    );
  });

  it.each([
    ['missing:account_number', 'required', '/account_number'],
    ['missing:supply_points[0].market_name', 'required', '/supply_points/0/market_name'],
    ['type:supply_points', 'type', '/supply_points'],
    ['type:leave_supplier_process_id', 'type', '/leave_supplier_process_id'],
  ])('causes only the damage %s', async (damage, rule, pointer) => {
    const { code, events } = await trigger(`${leave} --invalid ${damage}`);
    expect(code).toBe(0);
    const violations = await catalogue.explain(catalogue.named(leave)!, events[0]!.payload, { strict: true });
    expect(violations.map((each) => [each.rule, each.pointer])).toEqual([[rule, pointer]]);
  });

  it('adds a field that the schema does not have', async () => {
    const { events } = await trigger(`${leave} --invalid extra:supply_points[0].colour`);
    const event = catalogue.named(leave)!;
    expect(await catalogue.explain(event, events[0]!.payload)).toEqual([]);
    expect(await catalogue.explain(event, events[0]!.payload, { strict: true })).toMatchObject([
      { rule: 'additionalProperties', pointer: '/supply_points/0/colour' },
    ]);
  });

  it('sends a payload that was edited in $EDITOR', async () => {
    const script = await file(
      'edit.mjs',
      `import fs from 'node:fs'; const path = process.argv[2];
       const payload = JSON.parse(fs.readFileSync(path)); payload.statement_id = 77;
       fs.writeFileSync(path, JSON.stringify(payload));`,
    );
    const { events } = await trigger('billing.final_bill-v1 --edit', {
      EDITOR: `"${process.execPath}" "${script}"`,
    });
    expect(events[0]!.payload.statement_id).toBe(77);
  });

  it('removes unset fields before the editor opens', async () => {
    const points = '--set supply_points[1].market_name=GBR_GAS --unset supply_points[0]';
    const { events } = await trigger(`${leave} ${points} --edit`, { EDITOR: 'true' });
    expect(events[0]!.payload.supply_points).toMatchObject([{ market_name: 'GBR_GAS' }]);
  });

  it('rejects an invalid edited payload, and keeps the text', async () => {
    const script = await file(
      'spoil.mjs',
      "import fs from 'node:fs'; fs.writeFileSync(process.argv[2], '{\"secret\":1}');",
    );
    const refused = await trigger('billing.final_bill-v1 --edit', {
      EDITOR: `"${process.execPath}" "${script}"`,
    });
    expectRefusal(refused, /"\/statement_id" is required.*Your text is in "(.*)"/);
    const kept = /Your text is in "(.*?)"/.exec(refused.stderr)![1]!;
    expect(readFileSync(kept, 'utf8')).toBe('{"secret":1}');
    await rm(join(kept, '..'), { recursive: true });
  });

  it('stops quietly when its reader goes away', async () => {
    const child = spawn(
      'sh',
      ['-c', `"${process.execPath}" "${command}" trigger ${leave} --count 5000 | head -n 1`],
      {
        stdio: ['ignore', 'pipe', 'pipe'],
      },
    );
    let [stdout, stderr] = ['', ''];
    child.stdout.setEncoding('utf8').on('data', (text: string) => (stdout += text));
    child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text));
    await new Promise((resolve) => child.once('close', resolve));
    expect(stdout.trim().split('\n')).toHaveLength(1);
    expect(stderr).toBe('');
  });

  describe('rejected arguments', () => {
    it.each<[string, Words, RegExp]>([
      [
        'a name with a slip',
        'lifecycle.leave-supplier.complted-v3',
        /Did you mean "lifecycle.leave-supplier.completed-v3"/,
      ],
      [
        'a version that does not exist',
        'account.created-v7',
        /no event "account.created-v7".*"account.created-v1"/,
      ],
      ['no name', [], /Argument <event> is missing\. See emulate trigger --help\./],
      [
        'a path that leads nowhere',
        `${leave} --set supply_points[0].nope=1`,
        /no field "supply_points\[0\].nope": .*"market_name"/,
      ],
      [
        'a value of another type',
        `${leave} --set leave_supplier_process_id=secret`,
        /"leave_supplier_process_id" takes an integer, e\.g\. 42\./,
      ],
      ['a number that is none', 'account.created-v1 --set is_imported=1', /"is_imported" takes a boolean/],
      ['a list that is none', `${leave} --set supply_points={}`, /"supply_points" takes a list/],
      [
        'an integer that would be rounded',
        `${leave} --set leave_supplier_process_id=9007199254740993`,
        /"leave_supplier_process_id" has an integer above 9007199254740991, which would be rounded/,
      ],
      ['broken JSON', 'account.updated-v1 --set changes={"secret', /"changes" takes an object/],
      [
        'an object that lacks a field',
        `${leave} --set supply_points=[{}]`,
        /"\/supply_points\/0\/external_identifier" is required/,
      ],
      ['--set without a value', `${leave} --set secret`, /"--set" takes PATH=VALUE/],
      [
        '--unset of what is required',
        `${leave} --unset account_number`,
        /"\/account_number" is required \(rule "required"\)/,
      ],
      ['--unset of what does not exist', `${leave} --unset nope`, /no field "nope"/],
      [
        'a damage of no known kind',
        `${leave} --invalid broken:account_number`,
        /"--invalid" takes missing:FIELD/,
      ],
      [
        'a damage that is none',
        'account.created-v1 --invalid missing:is_imported',
        /valid without this field/,
      ],
      ['an extra field that is none', `${leave} --invalid extra:account_number`, /already has this field/],
      [
        'a missing file',
        `${leave} --raw /nowhere/payload.json`,
        /"\/nowhere\/payload.json" cannot be read: ENOENT/,
      ],
      ['a count of nothing', `${leave} --count 0`, /"--count" must be a whole number from 1 to/],
      [
        'a count that is not a number',
        `${leave} --count many`,
        /"--count" must be a whole number .* not "many"/,
      ],
      ['a seed that is not a number', `${leave} --seed 1.5`, /"--seed" must be a whole number/],
      [
        'a sink that it does not have',
        `${leave} --to telegraph`,
        /Sink kind "telegraph" does not exist\. Write one like these: stdout, .*, emulator\./,
      ],
      [
        'an emulator at a broken URL',
        `${leave} --to http://127.0.0.1:99999`,
        /"--to" must be the URL of an emulator/,
      ],
      ['an emulator with a password', `${leave} --to https://me:secret@127.0.0.1:1`, /without a user name/],
      ['an option that it does not have', `${leave} --sett a=b`, /sett/],
    ])('print one line and exit with 2: %s', async (_what, args, message) => {
      const result = await trigger(args);
      expectRefusal(result, message);
      expect(result.stderr).not.toContain('secret');
    });

    it.each([
      [
        'text in UTF-16',
        Buffer.from('\uFEFF{"secret":1}', 'utf16le'),
        /is not in UTF-8\. Save it as UTF-8\./,
      ],
      ['text in Latin-1', Buffer.from('{"secret":"é"}', 'latin1'), /is not in UTF-8/],
      ['text that is not JSON', '{"account_number": "secret', /"(.*)" is not JSON/],
      ['an array', '["secret"]', /"payload" must be object \(rule "type"\)/],
      ['an integer that would be rounded', '{"id":-9007199254740993}', /would be rounded/],
      [
        'JSON that is nested too deeply',
        `{"a":${'['.repeat(5000)}${']'.repeat(5000)}}`,
        /deeper than 100 levels/,
      ],
    ])('print one line and exit with 2: a file with %s', async (_what, content, message) => {
      const result = await trigger([leave, '--raw', await file('bad.json', content)]);
      expectRefusal(result, message);
      expect(result.stderr).not.toContain('secret');
    });

    it('print one line for --edit without an editor, or with a failing one', async () => {
      expectRefusal(await trigger(`${leave} --edit`, { EDITOR: '' }), /needs the variable EDITOR/);
      expectRefusal(
        await trigger(`${leave} --edit`, { EDITOR: 'false' }),
        /ended with code 1, so nothing was sent/,
      );
    });
  });

  it('runs every command of its documentation', async () => {
    const page = readFileSync(new URL('../../../docs/guides/trigger.md', import.meta.url), 'utf8');
    const lines = page.split('\n').filter((line) => line.startsWith('npx emulate trigger '));
    expect(lines.length).toBeGreaterThan(5);
    for (const line of lines.slice(0, cases(2, lines.length))) {
      const shown = line.replace('npx emulate', `"${process.execPath}" "${command}"`);
      const child = spawn('sh', ['-c', shown], { stdio: ['ignore', 'pipe', 'pipe'] });
      let stdout = '';
      child.stdout.setEncoding('utf8').on('data', (text: string) => (stdout += text));
      const code = await new Promise((resolve) => child.once('close', resolve));
      expect([line, code]).toEqual([line, 0]);
      expect(JSON.parse(stdout.split('\n')[0]!)).toHaveProperty('payload');
    }
  });

  it('prints its options with --help', async () => {
    const { code, stdout } = await trigger('--help');
    expect(code).toBe(0);
    for (const option of ['--set', '--unset', '--count', '--edit', '--raw', '--invalid', '--seed', '--to']) {
      expect(stdout).toContain(option);
    }
  });

  it('sends to a Kafka broker with key and headers', async () => {
    const broker = await startBroker({ port: 0, topics: [{ name: 'platform.events', partitions: 1 }] });
    const way = `--to kafka --brokers ${broker.bootstrapServers}`;
    const { code, stdout } = await trigger(`billing.final_bill-v1 --count 3 ${way}`);
    const [topic] = broker.inspect().topics;
    await broker.stop();
    expect({ code, stdout }).toEqual({ code: 0, stdout: '' });
    expect(topic?.partitions[0]?.endOffset).toBe(3);
  });

  it('uses a set entity of the schema as key', async () => {
    const broker = await startBroker({ port: 0, topics: [{ name: 'platform.events', partitions: 1 }] });
    const sending = [
      'account_user.verification_started-v1 --set user_number=U-0000002A',
      'business.created-v1 --set id=4711',
      'account_user.password_changed-v1',
    ];
    for (const args of sending) {
      const { code } = await trigger(`${args} --to kafka --brokers ${broker.bootstrapServers}`);
      expect(code).toBe(0);
    }
    const client = new Kafka({ brokers: [broker.bootstrapServers], logLevel: logLevel.NOTHING });
    const consumer = client.consumer({ groupId: 'keys' });
    await consumer.connect();
    await consumer.subscribe({ topics: ['platform.events'], fromBeginning: true });
    const keys: string[] = [];
    await new Promise<void>((resolve) => {
      const eachMessage = ({ message }: EachMessagePayload) => {
        if (keys.push(String(message.key)) === sending.length) resolve();
        return Promise.resolve();
      };
      void consumer.run({ eachMessage });
    });
    await consumer.disconnect();
    await broker.stop();
    expect(keys).toEqual(['U-0000002A', '4711', expect.stringMatching(/^U-[\dA-F]{8}$/)]);
  });
});
