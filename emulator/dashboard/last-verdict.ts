import { readFile, stat } from 'node:fs/promises';

/** File that `emulate verify` writes. */
export const verdictFile = 'busbar.verify.json';

/** The part of a report of `emulate verify` that the dashboard shows. */
export interface LastVerdict {
  /** Wall time of the report, in milliseconds since the epoch. */
  readonly at: number;
  readonly passed: boolean;
  readonly checks: number;
  readonly causes: readonly { readonly id: string; readonly title: string; readonly status: string }[];
}

/** Returns the last verdict in the folder of the emulator; null without one. */
export async function lastVerdict(): Promise<LastVerdict | null> {
  try {
    const { mtimeMs } = await stat(verdictFile);
    const { passed, checks, causes } = JSON.parse(await readFile(verdictFile, 'utf8')) as Report;
    const shown = causes.map(({ id, title, status }) => ({ id, title, status }));
    return { at: mtimeMs, passed, checks: checks.length, causes: shown };
  } catch {
    // Without a readable report, there is nothing to show.
    return null;
  }
}

interface Report extends Pick<LastVerdict, 'passed' | 'causes'> {
  readonly checks: readonly unknown[];
}
