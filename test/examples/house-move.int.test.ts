import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { worldVersion } from '../../emulator/world/version.js';
import { start } from '../command.js';

const consumer = fileURLToPath(new URL('../../dist/examples/house-move-consumer.js', import.meta.url));

describe('the example consumer', () => {
  it('handles a house move of the command over the WebSocket, and ends with it', async () => {
    const options = [
      '--seed',
      '1',
      '--instant',
      '--http-port',
      '0',
      '--kafka-port',
      '0',
      '--wait-for-consumer',
      'house-moves',
    ];
    const emulate = start('emulate', ['--scenario', 'house-move', ...options]);
    const [, url] = await emulate.line(/Events +(ws:\S+)/);
    const child = spawn(process.execPath, [consumer, url!], { stdio: ['ignore', 'pipe', 'pipe'] });
    let stdout = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => (stdout += text));
    await once(child, 'close');
    await emulate.stop();

    expect(child.exitCode).toBe(0);
    const lines = stdout.trimEnd().split('\n');
    expect([
      `World ${worldVersion}`,
      ...lines.map((line) => line.replaceAll(/  +/g, '  ')),
    ]).toMatchSnapshot();
  });

  it('reports a missing emulator and its address in one line', async () => {
    const child = spawn(process.execPath, [consumer, 'ws://127.0.0.1:1/events'], {
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    let stderr = '';
    child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text));
    await once(child, 'close');
    expect(child.exitCode).toBe(1);
    expect(stderr).toContain('ws://127.0.0.1:1/events');
  });
});
