import { execFileSync } from 'node:child_process';
import {
  appendFileSync,
  createReadStream,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type FileSinkOptions, fileSink } from '../../../emulator/sinks/file.js';
import { emissions } from './emissions.js';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'busbar-file-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

const write = async (count: number, options: Partial<FileSinkOptions> = {}) => {
  const sink = await fileSink({ path: join(folder, 'events.ndjson'), ...options });
  const sent = emissions(count);
  await sink.write(sent.slice(0, count / 2));
  await sink.write(sent.slice(count / 2));
  await sink.end();
  await sink.close();
  return sent.map(({ bytes }) => `${bytes.toString()}\n`);
};
const inFile = (name: string) => readFileSync(join(folder, name), 'utf8');

describe('the sink to a file', () => {
  it('writes one envelope per line, the bytes as they are, over what was there', async () => {
    const lines = await write(10);
    expect(inFile('events.ndjson')).toBe(lines.join(''));
    const fewer = await write(4);
    expect(inFile('events.ndjson')).toBe(fewer.join(''));
  });

  it.skipIf(process.platform === 'win32')('writes to a pipe, which has no positions', async () => {
    const path = join(folder, 'events.ndjson');
    execFileSync('mkfifo', [path]);
    const reading = text(createReadStream(path));
    const lines = await write(10);
    expect(await reading).toBe(lines.join(''));
  });

  it('begins the next file after so many events', async () => {
    const lines = await write(10, { maxEvents: 4 });
    expect(inFile('events.ndjson')).toBe(lines.slice(0, 4).join(''));
    expect(inFile('events.2.ndjson')).toBe(lines.slice(4, 8).join(''));
    expect(inFile('events.3.ndjson')).toBe(lines.slice(8).join(''));
  });

  it('starts the next file before one grows too large', async () => {
    const lines = await write(10, { maxBytes: 500 });
    const names = readdirSync(folder);
    expect(names.length).toBeGreaterThan(2);
    for (const name of names) expect(statSync(join(folder, name)).size).toBeLessThanOrEqual(500);
    const all = names.sort((one, other) => numberOf(one) - numberOf(other)).map(inFile);
    expect(all.join('')).toBe(lines.join(''));
    await write(2, { path: join(folder, 'tiny.ndjson'), maxBytes: 1 });
    expect(inFile('tiny.ndjson')).not.toBe('');
    expect(inFile('tiny.2.ndjson')).not.toBe('');
  });

  it('continues the last file when it appends', async () => {
    await write(6, { maxEvents: 4 });
    const more = await write(2, { append: true });
    expect(inFile('events.2.ndjson').endsWith(more.join(''))).toBe(true);
    expect(inFile('events.2.ndjson').split('\n')).toHaveLength(5);
  });

  it('counts events when it appends, and drops an interrupted line', async () => {
    await write(2, { maxEvents: 4 });
    appendFileSync(join(folder, 'events.ndjson'), '{"id":');
    await write(4, { maxEvents: 4, append: true });
    expect(inFile('events.ndjson').trim().split('\n')).toHaveLength(4);
    expect(inFile('events.2.ndjson').trim().split('\n')).toHaveLength(2);
  });

  it('says which file cannot be written, and which bound cannot be', async () => {
    const path = join(folder, 'nowhere', 'events.ndjson');
    await expect(fileSink({ path })).rejects.toMatchObject({
      code: 'file-failed',
      message: expect.stringContaining('ENOENT'),
    });
    await expect(fileSink({ path, maxEvents: 0 })).rejects.toThrow(
      'fileSink(): "maxEvents" must be a whole number of at least 1 or Infinity, not 0.',
    );
  });
});

function numberOf(name: string): number {
  return Number(/\.(\d+)\./.exec(name)?.[1] ?? 1);
}
