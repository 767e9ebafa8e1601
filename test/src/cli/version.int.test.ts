import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { counts } from '../../catalogue/counts.js';
import { commands } from '../../command.js';

const manifest = new URL('../../../package.json', import.meta.url);

it.each(['busbar', 'emulate'] as const)(
  'prints the version of Busbar, not of the project: %s --version',
  (command) => {
    const project = mkdtempSync(join(tmpdir(), 'busbar-version-'));
    onTestFinished(() => rmSync(project, { recursive: true }));
    writeFileSync(join(project, 'package.json'), JSON.stringify({ name: 'project', version: '9.9.9' }));
    // As npm installs commands.
    const bin = join(project, 'node_modules', '.bin');
    mkdirSync(bin, { recursive: true });
    symlinkSync(commands[command], join(bin, command));
    const { version } = JSON.parse(readFileSync(manifest, 'utf8')) as { version: string };
    for (const cwd of [project, tmpdir()]) {
      const printed = execFileSync(process.execPath, [join(bin, command), '--version'], {
        cwd,
        encoding: 'utf8',
      });
      const { platform, arch } = process;
      expect(printed).toBe(
        `${command} ${version} (catalogue ${counts.versions} events, node ${process.version}, ${platform}-${arch})\n`,
      );
    }
  },
);

it.runIf(process.platform === 'linux')('says that the working folder was deleted', () => {
  const folder = mkdtempSync(join(tmpdir(), 'busbar-deleted-'));
  const script = `cd '${folder}' && rmdir '${folder}' && exec '${process.execPath}' '${commands.emulate}' scenarios`;
  const { status, stderr } = spawnSync('sh', ['-c', script], { encoding: 'utf8' });
  expect({ status, stderr }).toEqual({
    status: 1,
    stderr: 'emulate: The working folder does not exist any more. Change to another one.\n',
  });
});

it.each([
  ['busbar', '18.20.8'],
  ['emulate', '20.18.3'],
] as const)('names the version of Node that it needs: %s with Node %s', (command, version) => {
  const { engines } = JSON.parse(readFileSync(manifest, 'utf8')) as { engines: { node: string } };
  const needed = engines.node.replace('>=', '');
  expect(runOnNode(version, command)).toMatchObject({
    status: 1,
    stdout: '',
    stderr: `${command}: Node ${version} is too old. Use Node ${needed} or later.\n`,
  });
});

/** Runs a command that takes its Node for this version. */
function runOnNode(version: string, command: keyof typeof commands) {
  const code = `Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '${version}' } });`;
  const preload = `data:text/javascript,${encodeURIComponent(code)}`;
  return spawnSync(process.execPath, ['--import', preload, commands[command], '--help'], {
    encoding: 'utf8',
  });
}
