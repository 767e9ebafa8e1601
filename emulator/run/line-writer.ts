import { constants, open, stat } from 'node:fs/promises';
import { BusbarError, quoted } from 'busbar/base';

/** Devices and inodes of the files that a writer has open, or a reader needs. */
const inUse = new Set<string>();

/** Keeps writers of this process from a file, if it exists. Returns the function that permits them again. */
export async function protectFile(path: string): Promise<() => void> {
  const id = await idOf(path);
  if (id !== undefined) inUse.add(id);
  return () => {
    if (id !== undefined) inUse.delete(id);
  };
}

async function idOf(path: string): Promise<string | undefined> {
  const found = await stat(path).catch(() => undefined);
  return found?.isFile() === true ? `${found.dev}/${found.ino}` : undefined;
}

export type LineWriter = Awaited<ReturnType<typeof openLineWriter>>;

/**
 * Opens a file for lines: a new file, or the first `keep` bytes of an existing one.
 * @throws BusbarError `file-failed`; `invalid-option` for a file that this process already writes or reads
 */
export async function openLineWriter(path: string, { keep = 0 } = {}) {
  const attempt = async <T>(work: () => Promise<T>): Promise<T> => {
    try {
      return await work();
    } catch (error) {
      const { code, message } = error as NodeJS.ErrnoException;
      const reason = `File ${quoted(path)} cannot be written: ${code ?? message}.`;
      throw new BusbarError('file-failed', `${reason} Check path, permissions and space.`, { cause: error });
    }
  };
  if (inUse.has((await idOf(path)) ?? '')) {
    throw new BusbarError(
      'invalid-option',
      `File ${quoted(path)} has two uses in this run. Name another file for one.`,
    );
  }
  const file = await attempt(() => open(path, constants.O_WRONLY | constants.O_CREAT));
  const release = await protectFile(path);
  let size = keep;
  let isFile: boolean | undefined;
  let closing: Promise<void> | undefined;

  return {
    /** Bytes of the file, those of pending writes included. */
    get size() {
      return size;
    },
    /**
     * Writes bytes that end in a line feed, or none. The first call replaces what an earlier run left: a run that cannot
     * start makes no call. @throws BusbarError `file-failed`
     */
    write: (lines: Buffer) =>
      attempt(async () => {
        // A terminal or a pipe can't be truncated, and has no positions.
        if (isFile === undefined) {
          isFile = (await file.stat()).isFile();
          if (isFile) await file.truncate(keep);
        }
        for (let done = 0; done < lines.length; ) {
          const position = isFile ? size : null;
          const { bytesWritten } = await file.write(lines, done, lines.length - done, position);
          done += bytesWritten;
          size += bytesWritten;
        }
      }),
    /** Syncs the file to disk and closes it. Later calls wait for the first. */
    close(): Promise<void> {
      closing ??= attempt(async () => {
        // A terminal or a pipe can't be synced.
        await file.sync().catch(() => undefined);
        await file.close();
        release();
      });
      return closing;
    },
  };
}
