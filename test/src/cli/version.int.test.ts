import { execFileSync } from 'node:child_process';
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
