import { execFileSync, spawnSync } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { counts } from '../../catalogue/counts.js';
import { commands, run } from '../../command.js';

const words = async (line: string) => {
  const [program = ''] = line.replace('npx ', '').split(' ');
  const { stdout } = await run(program as keyof typeof commands, ['--complete', line]);
  return stdout.split('\n').slice(0, -1);
};

describe('--complete', () => {
  it.each([
    ['busbar ', ['init', 'catalogue', 'dead-letters', 'offsets', 'completion']],
    ['busbar catalogue ', ['list', 'show', 'new', 'types', 'check', 'export', 'diff']],
    ['busbar catalogue show account.cr', ['account.created-v1', 'account.created']],
    ['busbar catalogue export --format ', ['json-schema', 'asyncapi', 'openapi-webhooks']],
    ['busbar completion ', ['bash', 'zsh', 'fish', 'powershell']],
    ['busbar dead-letters list --sasl s', ['scram-sha-256', 'scram-sha-512']],
    ['busbar nonsense ', []],
    ['emulate ', ['scenarios', 'trigger', 'replay', 'calibrate', 'check', 'verify', 'completion']],
    ['emulate --sc', ['--scenario']],
    ['emulate --instant --sc', ['--scenario']],
    ['emulate --scenario house', ['house-move']],
    ['npx emulate --scenario house', ['house-move']],
    ['npx busbar completion p', ['powershell']],
    ['emulate --scenario=house', ['--scenario=house-move']],
    ['emulate --scenario house-move ev', ['everyday']],
    ['emulate --scenario house-move --branch occupier=u', ['occupier=unknown']],
    ['emulate --branch occupier=u', []],
    ['emulate --versions ', ['all', 'latest']],
    ['emulate --vary t', ['times']],
    ['emulate --kafka-port ', ['off']],
    ['emulate --record ', []],
    ['emulate check ', []],
    [
      'emulate check --',
      [
        '--catalogue',
        '--complete',
        '--json',
        '--config',
        '--print-config',
        '--quiet',
        '--no-color',
        '--help',
        '--version',
      ],
    ],
    ['emulate trigger billing.final', ['billing.final_bill-v1', 'billing.final_bill']],
    ['emulate verify ./consumer.js --reporter j', ['junit', 'json']],
    ['emulate scenarios house', ['house-move']],
  ])('completes "%s"', async (line, expected) => {
    expect(await words(line)).toEqual(expected);
  });

  it('offers each event once', async () => {
    const events = await words('emulate trigger ');
    expect(events).toHaveLength(counts.versions + counts.types);
    expect(new Set(events).size).toBe(events.length);
  });
});

describe('completion', () => {
  const folder = mkdtempSync(join(tmpdir(), 'busbar-completion-'));
  const env = { ...process.env, PATH: `${folder}${delimiter}${process.env['PATH']}` };
  const has = (shell: string) => spawnSync(shell, ['-c', 'true']).error === undefined;
  const script = (shell: string) => join(folder, `emulate.${shell}`);

  beforeAll(async () => {
    const command = join(folder, 'emulate');
    writeFileSync(command, `#!/bin/sh\nexec "${process.execPath}" "${commands.emulate}" "$@"\n`);
    chmodSync(command, 0o755);
    writeFileSync(join(folder, 'npx'), '#!/bin/sh\n[ "$1" = --no-install ] && shift && exec "$@"\n', {
      mode: 0o755,
    });
    for (const shell of ['bash', 'zsh', 'fish', 'powershell'])
      writeFileSync(script(shell), (await run('emulate', ['completion', shell])).stdout);
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  for (const shell of ['zsh', 'fish'])
    if (!has(shell)) console.log(`NOT RUN: completion in ${shell}: there is no ${shell}`);

  const inShell = (shell: string, ...args: string[]) =>
    execFileSync(shell, args, { env, encoding: 'utf8' }).split('\n').filter(Boolean).sort();

  it.each([
    ['--scenario house', ['--scenario', 'house'], ['house-move']],
    ['--scenario house-move --branch occ', ['--scenario', 'house-move', '--branch', 'occ'], 3],
    // bash splits words at "=", and replaces only the last part.
    [
      '--scenario house-move --branch occupier=u',
      ['--scenario', 'house-move', '--branch', 'occupier', '=', 'u'],
      ['unknown'],
    ],
    [
      '--scenario house-move --branch occupier=',
      ['--scenario', 'house-move', '--branch', 'occupier', '='],
      3,
    ],
    ['trigger account.created-', ['trigger', 'account.created-'], ['account.created-v1']],
    ['check ', ['check', ''], []],
  ])('completes in bash: emulate %s', (line, typed, expected) => {
    for (const before of [[], ['npx']]) {
      const words = [...before, 'emulate', ...typed];
      const whole = [...before, 'emulate', line].join(' ');
      const list = words.map((word) => `'${word}'`).join(' ');
      const ask = `source '${script('bash')}'; complete -p ${words[0]} >/dev/null || exit 1
        COMP_LINE='${whole}' COMP_POINT=${whole.length} COMP_WORDS=(${list}) COMP_CWORD=${words.length - 1}
        _busbar_words ${words[0]}; printf '%s\\n' "\${COMPREPLY[@]}"`;
      const found = inShell('bash', '-c', ask);
      expect(Array.isArray(expected) ? found : found.length).toEqual(expected);
    }
  });

  it('leaves other programs of npx to bash', () => {
    const ask = `source '${script('bash')}'; COMP_LINE='npx vitest --' COMP_POINT=13 COMP_WORDS=(npx vitest --) COMP_CWORD=2
      _busbar_words npx; echo "\${#COMPREPLY[@]}"`;
    expect(inShell('bash', '-c', ask)).toEqual(['0']);
  });

  it.runIf(has('zsh'))('completes in zsh', () => {
    const ask = `compdef() { : }; compadd() { print -l -- \${(P)2} }; source '${script('zsh')}'
      words=(emulate --scenario house); CURRENT=3; _emulate
      words=(npx emulate --scenario switch); CURRENT=4; _emulate`;
    expect(inShell('zsh', '-f', '-c', ask)).toEqual(['house-move', 'switch-loss']);
  });

  it.runIf(has('fish'))('completes in fish', () => {
    const ask = `source '${script('fish')}'; complete -C 'emulate --scenario house-move --branch occupier=u'
      complete -C 'npx emulate --scenario switch'`;
    expect(inShell('fish', '--no-config', '-c', ask)).toEqual(['occupier=unknown', 'switch-loss']);
  });

  it.each(['busbar', 'emulate'] as const)('prints a script for PowerShell: %s', async (program) => {
    const { stdout } = await run(program, ['completion', 'powershell']);
    expect(stdout).toMatchSnapshot();
  });

  it('suggests a shell', async () => {
    const { code, stderr } = await run('busbar', ['completion', 'bsh']);
    expect(code).toBe(2);
    expect(stderr).toContain(
      '"shell" must be "bash", "zsh", "fish" or "powershell", not "bsh". Did you mean "bash"?',
    );
  });
});
