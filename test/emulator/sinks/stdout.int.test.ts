import { execFile } from 'node:child_process';
import { getEventListeners } from 'node:events';
import { Writable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { stdoutSink } from '../../../emulator/sinks/stdout.js';
import { emissions } from './emissions.js';
import { turns } from './raw-client.js';

const run = promisify(execFile);

/** An output whose reader takes one chunk per call. */
function slowOutput() {
  const chunks: string[] = [];
  const waiting: (() => void)[] = [];
  const output = new Writable({
    highWaterMark: 1,
    write(chunk, _encoding, done) {
      waiting.push(() => {
        chunks.push(String(chunk));
        done();
      });
    },
  });
  return { output, chunks, read: () => waiting.shift()?.() };
}

function failingOutput(code: string) {
  return new Writable({
    write: (_chunk, _encoding, done) => done(Object.assign(new Error(`write ${code}`), { code })),
  });
}

describe('the sink to standard output', () => {
  it('writes one envelope per line, the bytes as they are', async () => {
    const { output, chunks, read } = slowOutput();
    const sink = stdoutSink(output);
    const some = emissions(3);
    const writing = sink.write(some);
    read();
    await writing;
    expect(chunks.join('')).toBe(some.map(({ bytes }) => `${bytes.toString()}\n`).join(''));
  });

  it('waits for a reader that is slow', async () => {
    const { output, read } = slowOutput();
    const sink = stdoutSink(output);
    let written = false;
    const writing = Promise.resolve(sink.write(emissions(1))).then(() => (written = true));
    await turns();
    expect(written).toBe(false);
    read();
    await writing;
    expect(getEventListeners(sink.readerGone, 'abort')).toEqual([]);
  });

  it('ends when all bytes are written', async () => {
    const { output, chunks, read } = slowOutput();
    const sink = stdoutSink(output);
    void sink.write(emissions(2));
    let ended = false;
    const ending = Promise.resolve(sink.end()).then(() => (ended = true));
    await turns();
    expect(ended).toBe(false);
    read();
    await turns();
    read();
    await ending;
    expect(chunks.join('').split('\n')).toHaveLength(3);
    await sink.close();
    expect(output.writable).toBe(true);
    expect(output.listenerCount('error') + output.listenerCount('drain')).toBe(0);
  });

  it('takes it quietly when the reader goes away, even while it waits for it', async () => {
    const { output } = slowOutput();
    const sink = stdoutSink(output);
    const writing = sink.write(emissions(1));
    expect(sink.readerGone.aborted).toBe(false);
    output.emit('error', Object.assign(new Error('write EPIPE'), { code: 'EPIPE' }));
    await writing;
    expect(sink.readerGone.aborted).toBe(true);
    await sink.write(emissions(5));
    await sink.end();
  });

  it('says when the output cannot be written for another reason', async () => {
    const output = failingOutput('ENOSPC');
    const sink = stdoutSink(output);
    const failing = async () => {
      for (const each of emissions(3)) await sink.write([each]);
      await sink.end();
    };
    await expect(failing()).rejects.toMatchObject({
      code: 'file-failed',
      message: expect.stringContaining('ENOSPC'),
    });
  });

  it('exits with 0 when its reader takes only the first lines', async () => {
    const program = fileURLToPath(new URL('programs/endless-lines.ts', import.meta.url));
    const command = `"${process.execPath}" --import tsx "${program}" | head -n 2 | wc -l`;
    const { stdout, stderr } = await run('/bin/bash', ['-o', 'pipefail', '-c', command]);
    expect(stdout.trim()).toBe('2');
    expect(stderr).toBe('ended');
  });
});
