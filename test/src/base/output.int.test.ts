import { Writable } from 'node:stream';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { BusbarError } from '../../../src/base/errors.js';
import { type Commands, type Console, runCommandLine } from '../../../src/cli/command-line.js';
import { cases } from '../../cases.js';
import { hasFullDisk, runOnFullDisk } from '../../command.js';
import { brokerWithEvents } from '../../emulator/broker/topics-for-tests.js';

if (!hasFullDisk) console.log('NOT RUN: busbar on a full disk: there is no /dev/full');

/** An output that takes some writes, then none. */
function failingOutput(code: string, taken = 0) {
  let left = taken;
  return new Writable({
    write: (_chunk, _encoding, done) =>
      left-- > 0 ? done() : done(Object.assign(new Error(`write ${code}`), { code })),
  });
}

let stderr = '';
beforeEach(() => {
  stderr = '';
  vi.spyOn(process.stderr, 'write').mockImplementation((text) => {
    stderr += String(text);
    return true;
  });
});
afterEach(() => (process.exitCode = 0));

/** Runs a command that prints up to 1,000 lines, one per turn. Returns how many it printed. */
async function runLines(stream: Writable): Promise<number> {
  let printed = 0;
  await runOnly(async (output) => {
    for (; printed < 1000; printed++) {
      output.write('a line\n');
      await new Promise(setImmediate);
    }
  }, stream);
  return printed;
}

function runOnly(run: (console: Console) => Promise<void>, stream: Writable): Promise<void> {
  const command = { run: (_values: unknown, console: Console) => run(console) };
  const commands: Commands = { '': ['Print lines', () => Promise.resolve({ command })] };
  return runCommandLine({ program: 'lines', version: '1.0.0', commands }, [], stream);
}

describe('the output of a command', () => {
  it.each(['ENOSPC', 'EIO', 'EFBIG', 'ERR_STREAM_DESTROYED'])(
    'ends with one line and exit code 1 when writing fails with %s',
    async (code) => {
      const stream = failingOutput(code, 10);
      expect(await runLines(stream)).toBeLessThan(20);
      expect(stderr).toBe(
        `lines: Standard output cannot be written: ${code}. Check its disk, or send it elsewhere.\n`,
      );
      expect(process.exitCode).toBe(1);
      expect(stream.listenerCount('error')).toBe(0);
    },
  );

  it('ends its progress when it fails', async () => {
    const begun = vi.spyOn(globalThis, 'setInterval');
    const ended = vi.spyOn(globalThis, 'clearInterval');
    await runOnly(
      async (console) => {
        console.progress(() => 'half of it');
        throw new BusbarError('invalid-option', 'No.');
      },
      failingOutput('ENOSPC', 1),
    );
    expect(ended).toHaveBeenCalledWith(begun.mock.results[0]!.value);
    expect(stderr).toBe('lines: No.\n');
  });

  it('ends with exit code 1 when the last write fails', async () => {
    expect(await runLines(failingOutput('ENOSPC', 999))).toBe(1000);
    expect(stderr).toContain('ENOSPC');
    expect(process.exitCode).toBe(1);
  });

  it.each(['EPIPE', 'EOF'])('ends quietly with exit code 0 when its reader goes away: %s', async (code) => {
    expect(await runLines(failingOutput(code, 10))).toBeLessThan(20);
    expect(stderr).toBe('');
    expect(process.exitCode ?? 0).toBe(0);
  });
});

describe.runIf(hasFullDisk)('busbar with standard output on a full disk', () => {
  const topic = ['--topic', 'events'];
  const commandLines: readonly (readonly string[])[] = [
    ['catalogue', 'export', '--format', 'asyncapi'],
    ['dead-letters', 'list', ...topic, '--json'],
    ['--version'],
    // In the long suite:
    ['catalogue', 'list'],
    ['catalogue', 'list', '--json'],
    ['catalogue', 'show', 'account.created-v1'],
    ['dead-letters', 'list', ...topic],
    ['dead-letters', 'replay', ...topic, '--dry-run'],
    ['offsets', '--help'],
  ];
  it.each(commandLines.slice(0, cases(3, commandLines.length)))(
    'ends with one line and exit code 1: %s %s %s',
    async (...args) => {
      vi.restoreAllMocks();
      const broker = await brokerWithEvents();
      const connection = args.includes('--topic') ? ['--brokers', broker.bootstrapServers] : [];
      const finished = await runOnFullDisk('busbar', [...args, ...connection]);
      expect(finished).toEqual({
        code: 1,
        stdout: '',
        stderr: 'busbar: Standard output cannot be written: ENOSPC. Check its disk, or send it elsewhere.\n',
      });
    },
  );
});
