import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { run } from '../command.js';
import { counts } from './counts.js';
import { repository } from './run-node.js';

const busbar = (...args: string[]) => run('busbar', ['catalogue', ...args]);

describe('busbar catalogue list', () => {
  it('prints every event version under its group', async () => {
    const { code, stdout, stderr } = await busbar('list');
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toContain('\nleaving-supply\n');
    expect(stdout).toMatch(/^ {2}account\.created-v1 +A customer account was opened/m);
    expect(stdout.trimEnd().split('\n').at(-1)).toBe(
      `${counts.types} event types, ${counts.versions} event versions`,
    );
  });

  it('prints JSON for programs', async () => {
    const { stdout } = await busbar('list', '--json');
    const events = JSON.parse(stdout) as Record<string, string>[];
    expect(events).toHaveLength(counts.versions);
    expect(events).toContainEqual({
      name: 'lifecycle.leave-supplier.completed-v3',
      type: 'lifecycle.leave-supplier.completed',
      version: 'v3',
      group: 'leaving-supply',
      domain: 'lifecycle',
      key: 'account',
      description: 'A leaving process ended: we no longer supply any of its supply points.',
    });
  });

  it('filters events by a string in their name', async () => {
    const { stdout } = await busbar('list', 'duos', '--json');
    expect((JSON.parse(stdout) as { name: string }[]).map(({ name }) => name)).toEqual([
      'billing.duos_invoice.cancel-v1',
      'billing.duos_invoice.new-v1',
      'billing.duos_invoice.replace-v1',
    ]);
  });

  it('exits with code 0 when its reader goes away', async () => {
    const child = spawn(
      process.execPath,
      ['dist/src/cli/main.js', 'catalogue', 'export', '--format', 'asyncapi'],
      {
        cwd: repository,
        stdio: ['ignore', 'pipe', 'pipe'],
      },
    );
    let stderr = '';
    child.stderr.on('data', (chunk: Buffer) => (stderr += chunk.toString()));
    child.stdout.once('data', () => child.stdout.destroy());
    const [code] = await once(child, 'close');
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  });
});

describe('busbar catalogue show', () => {
  it('prints description and fields, with those of the shapes', async () => {
    const { code, stdout } = await busbar('show', 'billing.ledger.entry_posted-v1');
    expect(code).toBe(0);
    expect(stdout).toBe(
      `billing.ledger.entry_posted-v1
Something was booked on a ledger; tells the ledger only.

  type      billing.ledger.entry_posted
  version   v1
  versions  v1, v2
  group     billing
  key       account

  ledger  Ledger  required

BillingAccount: The account that a ledger belongs to.
  number  string  required  Number of the account.

Ledger: A ledger of an account, on which money owed and paid is booked.
  account  BillingAccount  required
  number   string          required  Number of the ledger.
  id       string          optional  Id of the ledger.
`,
    );
  });

  it('prints the fields of shapes and alternatives that an event consists of', async () => {
    const schema = {
      'x-event-type': 'house_move.announced',
      'x-event-version': 'v1',
      'x-busbar-key': 'account',
      $ref: '#/$defs/HouseMoveAccount',
      oneOf: ['web', 'phone'].map((kind) => ({
        properties: { [kind]: { type: 'string' } },
        required: [kind],
      })),
    };
    const file = fileOf(schema);
    const { stdout } = await busbar('show', 'house_move.announced', '--catalogue', file);
    const required = ['number', 'external_reference'].map((name) => `  ${name} +string  required  .+\n`);
    const optional = ['web', 'phone'].map((name) => `  ${name} +string  optional *\n`);
    expect(stdout).toMatch(new RegExp(`\n\n${[...required, ...optional].join('')}\nHouseMoveAccount: `));
  });

  it('names the types of constants, of alternatives and of schemas without keywords', async () => {
    const schema = {
      'x-event-type': 'tariff.changed',
      'x-event-version': 'v1',
      'x-busbar-key': 'account',
      type: 'object',
      properties: {
        by: { oneOf: [{ $ref: '#/$defs/HouseMoveAccount' }, { type: 'string' }, { type: 'null' }] },
        kind: { const: 'night' },
        word: { enum: ['a', null] },
        any: true,
        none: false,
        list: { items: true },
      },
    };
    const file = fileOf(schema);
    const { stdout } = await busbar('show', 'tariff.changed', '--catalogue', file);
    expect(stdout).toMatch(/^tariff.changed-v1\n\n  type /);
    expect(stdout).toMatch(/  by +HouseMoveAccount or string or null +optional/);
    expect(stdout).toMatch(/  kind +string +optional/);
    expect(stdout).toMatch(/  word +string or null +optional/);
    expect(stdout).toMatch(/  any +any +optional *\n  none +none +optional *\n  list +\[any\] +optional/);
  });

  it('selects the newest version of an event type', async () => {
    const { stdout } = await busbar('show', 'billing.billing_document_representation.dispatched', '--json');
    expect(JSON.parse(stdout)).toMatchObject({
      'x-event-version': 'v3',
      properties: { support_user_id: {} },
    });
  });

  it('prints a standalone schema', async () => {
    const { stdout } = await busbar('show', 'consents.consent.created-v1', '--json');
    const schema = JSON.parse(stdout) as { $id: string; $defs: object };
    expect(schema.$id).toBe('consents.consent.created-v1');
    expect(Object.keys(schema.$defs)).toEqual(['Consent', 'SigningIdentity']);
  });
});

describe('bad input to busbar catalogue', () => {
  it.each([
    [['show', 'account.creatd'], 'There is no event "account.creatd". Did you mean "account.created"'],
    [
      ['show', 'account.created-v2'],
      'There is no event "account.created-v2". Did you mean "account.created-v1"',
    ],
    [['show'], 'Argument <event> is missing. See busbar catalogue show --help.'],
    [['show', '__proto__'], 'There is no event "__proto__". "busbar catalogue list" prints all names.'],
    [['list', 'zebra'], 'No event has "zebra" in its name.'],
    [['export'], 'Option "--format" is missing.'],
    [['export', '--format', 'asyncap'], 'not "asyncap". Did you mean "asyncapi"?'],
    [['export', '--format', 'toString'], 'not "toString".'],
    [['export', '--fromat', 'asyncapi'], 'Unknown option "--fromat". Did you mean "--format"?'],
    [['lst', '--json'], 'Unknown command "lst". Did you mean "list"?'],
    [['shwo'], 'Unknown command "shwo". Did you mean "show"?'],
    [['--verson'], 'Unknown option "--verson". Did you mean "--version"? See busbar catalogue --help.'],
    [[], 'Name a command: list, show, new, types, check, export, diff. See busbar catalogue --help.'],
  ])('yields one line and exit code 2: %j', async (args, message) => {
    const { code, stdout, stderr } = await busbar(...args);
    expect(stderr).toContain(message);
    expect(stderr.trimEnd().split('\n')).toHaveLength(1);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
  });
});

/** Writes a schema to a file of the test. */
function fileOf(schema: object): string {
  const folder = mkdtempSync(join(tmpdir(), 'busbar-show-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const file = join(folder, 'own.json');
  writeFileSync(file, JSON.stringify(schema));
  return file;
}
