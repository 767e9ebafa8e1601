import { existsSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { basename, dirname, join, parse } from 'node:path';
import { boolean, nonEmptyText, type OptionTable, readOptions, whole } from 'busbar/base';
import { openLineWriter } from '../run/line-writer.js';
import { readLines } from '../run/recording/read-lines.js';
import type { Sink } from '../run/sink.js';

/** The options of {@link fileSink}. */
export interface FileSinkOptions {
  readonly path: string;
  /** The maximum size of a file in bytes; a longer event gets its own file. Default: no limit. */
  readonly maxBytes?: number;
  /** The maximum number of events in a file. Default: no limit. */
  readonly maxEvents?: number;
  /** Whether to append to existing files, to resume a run; false overwrites them. Default false. */
  readonly append?: boolean;
}

const bound = whole({ from: 1, orInfinity: true });

export const fileSinkOptions = {
  path: { type: nonEmptyText, isRequired: true },
  maxBytes: { type: bound, default: Infinity, unit: 'bytes' },
  maxEvents: { type: bound, default: Infinity },
  append: { type: boolean, default: false },
} satisfies OptionTable<FileSinkOptions>;

/**
 * Creates a sink that writes one envelope per line, with the same bytes as all sinks. With a limit, `events.2.ndjson`
 * follows `events.ndjson`, and so on. Syncs each file to the disk (fsync) when it is complete.
 * @throws BusbarError `invalid-option`, `file-failed`
 */
export async function fileSink(options: FileSinkOptions): Promise<Sink> {
  const { path, maxBytes, maxEvents, append } = readOptions('fileSink()', fileSinkOptions, options);
  let number = append ? await lastNumber(path) : 1;
  const present = append ? await contentOf(numbered(path, number)) : empty;
  let { events } = present;
  let file = await openLineWriter(numbered(path, number), { keep: present.bytes });

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
          await file.close();
          number++;
          events = 0;
          file = await openLineWriter(numbered(path, number));
        }
        lines.push(bytes, lineFeed);
        length += bytes.length + 1;
        events++;
      }
      await flush();
    },
    async end() {
      // A run without events replaces the file, too.
      await file.write(nothing);
      await file.close();
    },
    close: () => file.close(),
  };
}

const lineFeed = Buffer.from('\n');
const nothing = Buffer.alloc(0);

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

const empty = { events: 0, bytes: 0 };

/** Returns the number of events in a file and their bytes, without a last line that was interrupted. */
async function contentOf(path: string): Promise<typeof empty> {
  if (!existsSync(path)) return empty;
  let { events, bytes } = empty;
  for await (const { isWhole, end } of readLines(path)) if (isWhole) [events, bytes] = [events + 1, end];
  return { events, bytes };
}
