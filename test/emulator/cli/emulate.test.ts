import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { describe, expect, it } from 'vitest';
import { run, start } from '../../command.js';

const threeMoves = [
  '--scenario',
  'house-move',
  '--seed',
  '7',
  '--instances',
  '3',
  '--instant',
  '--to',
  'stdout',
];

describe('emulate --to stdout', () => {
  it('prints one envelope a line, and nothing else, and exits 0', async () => {
    const { code, stdout, stderr } = await run('emulate', threeMoves);
    expect(code).toBe(0);
    const lines = stdout.trimEnd().split('\n');
    for (const line of lines) {
      expect(Object.keys(JSON.parse(line) as object)).toEqual([
        'id',
        'event_type',
        'version',
        'occurred_at',
        'payload',
      ]);
    }
    expect(stderr).toMatch(
      new RegExp(`^Done: ${lines.length} events, virtual time 2026-03-02T09:00:00.000Z to `),
    );
  });

  it('prints the same bytes each time: these', async () => {
    const hashes = await Promise.all(
      [1, 2].map(async () =>
        createHash('sha256')
          .update((await run('emulate', threeMoves)).stdout)
          .digest('hex'),
      ),
    );
    expect(hashes[1]).toBe(hashes[0]);
    expect(hashes[0]).toMatchInlineSnapshot(
      `"f66912fbb9574e09936c3ef3be0a5586e1dd132c75a1c30853c6536fa8e606ab"`,
    );
  });

  it('ends quietly when its reader goes away', async () => {
    const { child, output, stop } = start('emulate', [
      '--scenario',
      'house-move',
      '--instances',
      '2000',
      '--instant',
      '--to',
      'stdout',
    ]);
    await once(child.stdout, 'data');
    child.stdout.destroy();
    await once(child, 'close');
    expect(output.stderr).toBe('');
    expect((await stop()).code).toBe(0);
  });
});

describe('emulate with a server of its own', () => {
  it('says where the stream is, goes on serving after the run, and ends on Ctrl-C with 130', async () => {
    const emulate = start('emulate', ['--scenario', 'house-move', '--instant', '--http-port', '0']);
    const [, url] = await emulate.line(/Events on (ws:\/\/127\.0\.0\.1:\d+\/events)/);
    await emulate.line(/The run is over/);
    const response = await fetch(url!.replace('ws:', 'http:').replace('/events', '/'));
    expect(await response.text()).toContain('/events');
    expect((await emulate.stop('SIGINT')).code).toBe(130);
  });

  it('ends with the run when asked to', async () => {
    const args = ['--scenario', 'house-move', '--instant', '--http-port', '0', '--exit-when-done'];
    expect((await run('emulate', args)).code).toBe(0);
  });

  it('serves beside standard output when a port is named', async () => {
    const args = [
      '--scenario',
      'house-move',
      '--instant',
      '--to',
      'stdout',
      '--http-port',
      '0',
      '--exit-when-done',
    ];
    const { stdout, stderr } = await run('emulate', args);
    expect(stdout).toContain('"event_type"');
    expect(stderr).toContain('Events on ws://');
  });

  it('names a port that is taken and says how to go on', async () => {
    const other = createServer().listen(0, '127.0.0.1');
    await once(other, 'listening');
    const { port } = other.address() as { port: number };
    const { code, stderr } = await run('emulate', ['--scenario', 'house-move', '--http-port', String(port)]);
    other.close();
    expect(code).toBe(1);
    expect(stderr).toMatch(new RegExp(`^emulate: .*"${port}".*--http-port 0.*\n$`));
  });

  it('is stopped in good order in the middle of a run', async () => {
    const emulate = start('emulate', ['--scenario', 'house-move', '--http-port', '0']);
    await emulate.line(/Events on/);
    const { code, stderr } = await emulate.stop('SIGINT');
    expect(code).toBe(130);
    expect(stderr).toMatch(/Stopped after \d+ events|No event was sent/);
  });
});

describe('emulate with bad input', () => {
  it.each([
    [['--scenario', 'house-mov'], 'There is no scenario "house-mov". Did you mean "house-move"?'],
    [[], 'Say what should happen: --scenario house-move.'],
    [['--scenario'], 'Not enough arguments following: scenario'],
    [['--scenaro', 'x'], 'Unknown option "--scenaro". Did you mean "--scenario"?'],
    [['sceanrios'], 'Unknown'],
    [['--scenario', 'house-move', '--to', 'pigeon'], 'Given: "pigeon", Choices: "stdout", "websocket"'],
    [['--scenario', 'house-move', '--seed', 'x'], '"seed" must be a whole number'],
    [['--scenario', 'house-move', '--start', 'yesterday'], 'not "yesterday"'],
    [['--scenario', 'house-move', '--instant', '--speed', '2'], 'mutually exclusive'],
    [['--scenario', 'house-move', '--speed', '-1'], '"speed" must be greater than 0'],
    [['--scenario', 'house-move', '--branch', 'occupier'], 'BRANCH=OUTCOME'],
    [['--scenario', 'house-move', '--branch', 'occupier=me'], 'no outcome of "occupier" called "me"'],
    [['--scenario', 'house-move', '--http-port', '70000'], '70000'],
  ])('%j: one line, exit 2', async (args, message) => {
    const { code, stdout, stderr } = await run('emulate', args);
    expect(stderr).toContain(message);
    expect(stderr.trimEnd().split('\n')).toHaveLength(1);
    expect(stdout).toBe('');
    expect(code).toBe(2);
  });
});
