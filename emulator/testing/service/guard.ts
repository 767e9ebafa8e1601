import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { BusbarError, quoted } from 'busbar/base';

/**
 * Leaves nothing behind: a second process waits until this one ends, even by SIGKILL. It then kills every process of the
 * services and removes their folder.
 */
export class Guard {
  /** Folder of the verification, which the guard removes. */
  readonly folder = createFolder();
  /** Marks the environment of services: a child that left its process group keeps it. */
  readonly environment = { BUSBAR_VERIFY: randomUUID() };
  readonly #watcher = spawn(
    process.execPath,
    ['-e', watcher, `BUSBAR_VERIFY=${this.environment.BUSBAR_VERIFY}`, this.folder],
    { stdio: ['pipe', 'ignore', 'ignore'], detached: true },
  );

  constructor() {
    this.#watcher.stdin.on('error', () => undefined);
    this.#watcher.unref();
  }

  add(group: number): void {
    this.#watcher.stdin.write(`${group}\n`);
  }

  remove(group: number): void {
    this.#watcher.stdin.write(`-${group}\n`);
  }

  /** Resolves when no process and no folder is left. */
  async close(): Promise<void> {
    const left = once(this.#watcher, 'exit');
    this.#watcher.ref();
    this.#watcher.stdin.end();
    await left;
  }
}

function createFolder(): string {
  try {
    return mkdtempSync(join(tmpdir(), 'emulate-verify-'));
  } catch (cause) {
    const { code = 'unknown error' } = cause as NodeJS.ErrnoException;
    const message = `No folder can be created in ${quoted(tmpdir())}: ${code}. Set TMPDIR to another folder.`;
    throw new BusbarError('file-failed', message, { cause });
  }
}

/** A program for `node -e`: its standard input ends when the verification does. Only Linux lists environments. */
const watcher = `
const { readFileSync, readdirSync, rmSync } = require('node:fs');
const [mark, folder] = process.argv.slice(1);
const groups = new Set();
const attempt = (work) => { try { return work(); } catch { return undefined; } };
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => {});
let rest = '';
process.stdin.setEncoding('utf8').on('data', (text) => {
  const lines = (rest + text).split('\\n');
  rest = lines.pop();
  for (const line of lines) line[0] === '-' ? groups.delete(line.slice(1)) : groups.add(line);
}).on('close', () => {
  for (const group of groups) attempt(() => process.kill(-group, 'SIGKILL'));
  for (const id of attempt(() => readdirSync('/proc')) ?? []) {
    const environment = attempt(() => readFileSync('/proc/' + id + '/environ', 'utf8')) ?? '';
    if (environment.split('\\0').includes(mark)) attempt(() => process.kill(Number(id), 'SIGKILL'));
  }
  attempt(() => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }));
});
`;
