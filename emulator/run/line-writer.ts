import { open } from 'node:fs/promises';
import { BusbarError, quoted } from 'busbar/base';

export interface LineWriter {
  /** Bytes of the file, those of pending writes included. */
  readonly size: number;
  /** Writes bytes that end in a line feed. @throws BusbarError `file-failed` */
  write(lines: Buffer): Promise<void>;
  /** Syncs the file to disk and closes it. Later calls wait for the first. */
  close(): Promise<void>;
}

/**
 * Opens a file for lines: a new file, or the first `keep` bytes of an existing one.
 * @throws BusbarError `file-failed`
 */
export async function openLineWriter(path: string, { keep = 0 } = {}): Promise<LineWriter> {
  const attempt = async <T>(work: () => Promise<T>): Promise<T> => {
    try {
      return await work();
    } catch (error) {
      const { code, message } = error as NodeJS.ErrnoException;
      const reason = `File ${quoted(path)} cannot be written: ${code ?? message}.`;
      throw new BusbarError('file-failed', `${reason} Check path, permissions and space.`, { cause: error });
    }
  };
  const file = await attempt(() => open(path, keep === 0 ? 'w' : 'r+'));
  let size = keep;
  if (keep > 0) await attempt(() => file.truncate(keep));
  let closing: Promise<void> | undefined;

  return {
    get size() {
      return size;
    },
    write: (lines) =>
      attempt(async () => {
        for (let done = 0; done < lines.length; ) {
          const { bytesWritten } = await file.write(lines, done, lines.length - done, size);
          done += bytesWritten;
          size += bytesWritten;
        }
      }),
    close() {
      closing ??= attempt(async () => {
        // A terminal or a pipe can't be synced.
        await file.sync().catch(() => undefined);
        await file.close();
      });
      return closing;
    },
  };
}
