import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { ContractReport } from 'busbar-emulator/testing';
import { afterAll, describe, expect, it, onTestFinished } from 'vitest';
import { run, runProcess } from '../../command.js';

const folder = mkdtempSync(join(tmpdir(), 'busbar-verify-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const busbar = pathToFileURL(join(import.meta.dirname, '../../../dist/src/index.js')).href;

function moduleOf(name: string, body: string): string {
  const file = join(folder, name);
  writeFileSync(file, `import { createConsumer, on } from '${busbar}';\n${body}`);
  return file;
}

/** A busy machine takes longer than the first line of progress. */
const withoutProgress = (stderr: string) => stderr.replaceAll(/^Testing .*\n/gm, '');

const counting = (change: string) => `
const state = new Map();
export const consumer = () => {
  const made = createConsumer();
  made.on('account.created', 'v1', ({ payload }) => { ${change} });
  return made;
};
export const contract = { observe: () => state, reset: () => state.clear(), scenarios: ['house-move'] };
`;

describe('emulate verify', () => {
  it.each([
    ['2', 'no check failed', '', 'Passed.'],
    ['1', 'a check failed', 'throw new Error();', 'FAILED: '],
  ])('prints an unsaved report, and exits with %s if %s', async (expected, _, effect, result) => {
    const file = moduleOf(`unsaved-${expected}.mjs`, counting(effect));
    const args = ['verify', file, '--only', 'samples', '--out', file];
    const { code, stdout, stderr } = await run('emulate', args);
    expect(stdout).toContain(result);
    expect(withoutProgress(stderr)).toMatch(/^emulate: File "\S+" cannot be written: .* with --out\.\n$/);
    expect(code).toBe(Number(expected));
  });

  it('exits with 0 for a correct consumer that leaves a timer', async () => {
    const timer = 'setInterval(() => undefined, 60_000);';
    const file = moduleOf('right.mjs', `${timer}${counting('state.set(payload.account_number, true);')}`);
    const args = ['verify', file, '--runs', '5', '--out', folder];
    const { code, stdout, stderr } = await runProcess('emulate', args);
    expect(withoutProgress(stderr)).toBe('');
    expect(stdout).toMatch(/^✓ .*duplicates/m);
    expect(stdout).toContain('Passed. Results: ');
    expect(code).toBe(0);
    const plain = moduleOf('plain.mjs', counting('state.set(payload.account_number, true);'));
    const json = await run('emulate', ['verify', plain, '--only', 'duplicates', '--json']);
    expect(JSON.parse(json.stdout)).toMatchObject({ passed: true });
  });

  it('reads a JSON file as the contract of a service', async () => {
    const file = join(folder, 'service.json');
    writeFileSync(file, '{ "name": "service" }');
    const { code, stderr } = await run('emulate', ['verify', file]);
    expect(stderr).toContain('service.json" is wrong. It has an unknown member "name".');
    expect(code).toBe(2);
  });

  it('exits with 1 for a failure, and writes its file', async () => {
    const file = moduleOf('wrong.mjs', counting("state.set('n', (state.get('n') ?? 0) + 1);"));
    const out = join(folder, 'out');
    const flags = ['--only', 'duplicates', '--out', out, '--reporter', 'junit'];
    const failed = await run('emulate', ['verify', file, ...flags]);
    expect({ code: failed.code, stderr: withoutProgress(failed.stderr) }).toEqual({ code: 1, stderr: '' });
    expect(failed.stdout).toContain('applies an event again when it is redelivered');
    const [, repro = '', test] = readdirSync(out);
    const content = readFileSync(join(out, test ?? ''), 'utf8');
    expect(content).toContain(`readRepro('${repro}'`);
    // A database may take longer to start than Vitest waits by default.
    expect(content).toContain('{ timeout: 60_000 }');
    const replayed = await run('emulate', ['verify', file, '--repro', join(out, repro)]);
    expect({ code: replayed.code, stderr: withoutProgress(replayed.stderr) }).toEqual({
      code: 1,
      stderr: '',
    });
    expect(replayed.stdout).toContain('✗ duplicates');
    const json = await run('emulate', ['verify', file, '--repro', join(out, repro), '--json']);
    expect(JSON.parse(json.stdout)).toMatchObject({ name: 'duplicates', status: 'failed' });
  });

  it('accepts a cause of the last verdict', async () => {
    const file = moduleOf('known.mjs', counting("state.set('n', (state.get('n') ?? 0) + 1);"));
    const verify = ['verify', file, '--only', 'duplicates'];
    const cwd = mkdtempSync(join(folder, 'accepted-'));
    const started = process.cwd();
    process.chdir(cwd);
    onTestFinished(() => process.chdir(started));
    expect((await run('emulate', verify)).code).toBe(1);
    const verdict = readFileSync(join(cwd, 'busbar.verify.json'), 'utf8');
    const { causes } = JSON.parse(verdict) as ContractReport;
    const until = `${new Date().getUTCFullYear() + 1}-01-01`;
    const accept = (id: string) => run('emulate', `verify --accept ${id} --because BUS-412 --until ${until}`);
    expect(await accept(causes[0]!.id)).toMatchObject({ code: 0, stderr: '' });
    const accepted = await run('emulate', verify);
    expect(accepted.stdout).toContain(`accepted until ${until}, because BUS-412`);
    expect(accepted.code).toBe(0);
    expect((await accept('ffffff')).stderr).toContain('Cause "ffffff" is not in "busbar.verify.json".');
  });

  it('replays a failure of a scenario file while the file exists', async () => {
    // A folder in which the scenario's imports resolve.
    mkdirSync(join(folder, 'node_modules'), { recursive: true });
    symlinkSync(join(import.meta.dirname, '../../../emulator'), join(folder, 'node_modules/busbar-emulator'));
    const scenario = join(folder, 'own.mjs');
    writeFileSync(
      scenario,
      `import { defineScenario, emit } from 'busbar-emulator';
      export const own = defineScenario({
        name: 'own', title: 'Own', description: 'Own.', branches: {},
        *run({ cell: { account: { number } } }) {
          yield* emit('account.occupied', 'v1', { account_number: number }, { key: number });
        },
      });`,
    );
    const file = moduleOf(
      'untrue.mjs',
      `export const consumer = createConsumer();
      consumer.on('account.occupied', 'v1', () => undefined);
      const expected = (world) => world.accounts().map(({ number }) => number);
      export const contract = { projection: () => [], expected, scenarios: ['${scenario}'] };`,
    );
    const out = join(folder, 'untrue');
    const { stdout } = await run('emulate', ['verify', file, '--only', 'baseline', '--out', out]);
    expect(stdout).toContain('The projection does not match the ground truth');
    const repro = join(out, readdirSync(out)[1] ?? '');
    const replayed = await run('emulate', ['verify', file, '--repro', repro]);
    expect(replayed.stdout).toContain('✗ baseline own: The projection does not match the ground truth');
    rmSync(scenario);
    const gone = await run('emulate', ['verify', file, '--repro', repro]);
    expect(gone.stderr).toContain(
      `File "${scenario}" of the failed scenario "own" does not exist. Replay in`,
    );
    expect(gone.stderr.trim().split('\n')).toHaveLength(1);
    expect(gone.code).toBe(2);
  });

  it.each([
    ['a missing file', 'absent.mjs', undefined, 'absent.mjs" does not exist'],
    ['a module without a consumer', 'none.mjs', 'export const other = 1;', 'exports no consumer. Export the'],
    ['a module that throws', 'throws.mjs', "throw new RangeError('no database');", 'RangeError: no database'],
    [
      'a consumer that cannot be made',
      'unmade.mjs',
      "export const consumer = () => { throw new RangeError('secret'); };",
      'The function "consumer" of the contract throws RangeError at unmade.mjs:',
    ],
    [
      'a state that cannot be read',
      'unread.mjs',
      `${counting('')} contract.observe = () => { throw new RangeError('secret'); };`,
      'The function "observe" of the contract throws RangeError',
    ],
    [
      'a module that never resolves',
      'waits.mjs',
      'export const consumer = () => new Promise(() => undefined);',
      'waits.mjs", or a function that it exports, never resolves.',
    ],
    [
      'a handler of an event that the catalogue does not have',
      'outside.mjs',
      "export const consumer = createConsumer(); consumer.on('account.creatd', 'v1', () => {});",
      'cannot be read: The catalogue has no event "account.creatd". Did you mean "account.created"',
    ],
    ['a folder', '.', undefined, 'does not exist. Check its path.'],
    ['a name that is too long', 'x'.repeat(300), undefined, 'does not exist. Check its path.'],
    ['a consumer without handlers', 'idle.mjs', 'export default createConsumer();', 'has no handlers'],
    [
      'a handler of an event that does not exist',
      'unknown.mjs',
      "on('account.creatd', 'v1', () => {}); export { run as default } from 'nowhere';",
      'throws when it is imported',
    ],
  ])('reports %s, and exits with 2', async (_what, name, body, message) => {
    const file = body === undefined ? join(folder, name) : moduleOf(name, body);
    // In a process of its own: what waits for ever.
    const needsProcess = body?.includes('new Promise') === true;
    const { code, stderr } = await (needsProcess ? runProcess : run)('emulate', ['verify', file]);
    expect(stderr).toContain(message);
    expect(stderr).not.toContain('secret');
    expect(stderr.trim().split('\n')).toHaveLength(1);
    expect(code).toBe(2);
  });

  it('reads a CommonJS module that exports all of another', async () => {
    const cwd = join(folder, 'commonjs');
    mkdirSync(cwd);
    symlinkSync(join(import.meta.dirname, '../../../node_modules'), join(cwd, 'node_modules'));
    writeFileSync(join(cwd, 'package.json'), '{ "type": "commonjs" }');
    writeFileSync(join(cwd, 'index.ts'), `export * from './consumer';`);
    writeFileSync(join(cwd, 'consumer.ts'), `import { createConsumer } from 'busbar';\n${counting('')}`);
    const args = ['verify', 'index.ts', '--only', 'baseline'];
    const { code, stderr } = await runProcess('emulate', args, '', cwd);
    expect({ code, stderr: withoutProgress(stderr) }).toEqual({ code: 0, stderr: '' });
  });

  it('names events of the default consumer that the catalogue does not have', async () => {
    const body = `import { run } from '${busbar}';\non('account.creatd', 'v1', () => {});\nexport const consumer = { run };`;
    // In a process of its own, which has a default consumer of its own.
    const { code, stderr } = await runProcess('emulate', ['verify', moduleOf('default.mjs', body)]);
    expect(stderr).toContain('no event "account.creatd". Did you mean "account.created"');
    expect(code).toBe(2);
  });

  it('names a hanging handler', async () => {
    const body = counting('').replace('({ payload }) => {  }', '() => new Promise(() => undefined)');
    const file = moduleOf('hangs.mjs', body.replace('scenarios:', 'handlerTimeout: 50, scenarios:'));
    const { code, stdout } = await run('emulate', ['verify', file, '--only', 'samples', '--out', folder]);
    expect(stdout).toMatch(
      /Handler "account.created-v1" of event "account.created-v1" has not ended after \d+ ms/,
    );
    expect(code).toBe(1);
  });
});
