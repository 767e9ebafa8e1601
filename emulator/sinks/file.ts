import { readdir, stat } from 'node:fs/promises';
import { basename, dirname, join, parse } from 'node:path';
import { boolean, nonEmptyText, type OptionTable, readOptions, whole } from '../../src/base/options.js';
import { type LineWriter, openLineWriter } from '../run/line-writer.js';
import type { Sink } from './sink.js';

export interface FileSinkOptions {
  readonly path: string;
  /** Begin the next file before one would exceed so many bytes; a longer event has a file of its own. Default never. */
  readonly maxBytes?: number;
  /** Begin the next file after so many events. Default never. */
  readonly maxEvents?: number;
  /** Go on in the files that are there, for a run that resumes, instead of writing over them. Default false. */
  readonly append?: boolean;
}

const bound = whole({ from: 1, orInfinity: true });

const fileSinkOptions = {
  path: { type: nonEmptyText, isRequired: true },
  maxBytes: { type: bound, default: Infinity, unit: 'bytes' },
  maxEvents: { type: bound, default: Infinity },
  append: { type: boolean, default: false },
} satisfies OptionTable<FileSinkOptions>;

/**
 * One envelope per line, the same bytes that every other sink sends. With a bound, `events.ndjson` is followed by
 * `events.2.ndjson` and so on. Each file is on the disk (fsync) before the next one begins, and at the end.
 * @throws BusbarError `invalid-option`, `file-failed`
 */
export async function fileSink(options: FileSinkOptions): Promise<Sink> {
  const { path, maxBytes, maxEvents, append } = readOptions('fileSink()', fileSinkOptions, options);
  let number = append ? await lastNumber(path) : 1;
  let file = await openLineWriter(numbered(path, number), {
    keep: append ? await sizeOf(numbered(path, number)) : 0,
  });
  let events = 0;

  async function rotate(): Promise<LineWriter> {
    await file.close();
    number++;
    events = 0;
    return openLineWriter(numbered(path, number));
  }

  return {
    name: 'file',
    batchSize: 1000,
    async write(emissions) {
      let lines: Buffer[] = [];
      let length = 0;
      const flush = async () => {
        await file.write(Buffer.concat(lines, length));
        lines = [];
        length = 0;
      };
      for (const { bytes } of emissions) {
        const isFull = events >= maxEvents || file.size + length + bytes.length + 1 > maxBytes;
        if (isFull && events > 0) {
          await flush();
          file = await rotate();
        }
        lines.push(bytes, lineFeed);
        length += bytes.length + 1;
        events++;
      }
      await flush();
    },
    end: () => file.close(),
    close: () => file.close(),
  };
}

const lineFeed = Buffer.from('\n');

/** `events.ndjson`, `events.2.ndjson`, ... */
function numbered(path: string, number: number): string {
  if (number === 1) return path;
  const { dir, name, ext } = parse(path);
  return join(dir, `${name}.${number}${ext}`);
}

async function lastNumber(path: string): Promise<number> {
  const names = new Set(await readdir(dirname(path)).catch(() => []));
  let number = 1;
  while (names.has(basename(numbered(path, number + 1)))) number++;
  return number;
}

async function sizeOf(path: string): Promise<number> {
  return stat(path).then(
    ({ size }) => size,
    () => 0,
  );
}
