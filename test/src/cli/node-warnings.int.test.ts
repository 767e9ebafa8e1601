import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';

/** Warns once the command listens to warnings. */
const warning = `process.on('newListener', (name) => {
  if (name !== 'warning') return;
  process.emitWarning('-1 is a negative number.', 'TimeoutNegativeWarning');
  process.emitWarning('This one matters.');
});`;

it.each(['src/cli/bin/busbar.js', 'emulator/bin/emulate.js'])(
  '%s prints no warning about the timers of kafkajs, and all others',
  async (command) => {
    const file = fileURLToPath(new URL(`../../../${command}`, import.meta.url));
    const preload = `data:text/javascript,${encodeURIComponent(warning)}`;
    const output = await promisify(execFile)(process.execPath, ['--import', preload, file, '--version']);
    expect(output.stdout).toContain('0.1.0');
    expect(output.stderr).toContain('This one matters.');
    expect(output.stderr).not.toContain('negative');
  },
);
