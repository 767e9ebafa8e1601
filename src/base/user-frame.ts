import { propertyOf } from './errors.js';

/**
 * Returns the first frame of an error's stack in the user's code, not in a package, Node or Busbar:
 * `src/handlers.ts:12:9`, relative to the working directory. Outside that directory, returns only the file name.
 */
export function userFrame(error: unknown): string | undefined {
  const directory = workingDirectory();
  for (const line of frameLines(error)) {
    const [, location, row, column] = frame.exec(line) ?? [];
    const path = location === undefined ? undefined : pathOf(location, directory);
    if (path === undefined || isForeign(path)) continue;
    const isBelow = directory !== '' && path.startsWith(`${directory}/`);
    const shown = isBelow ? path.slice(directory.length + 1) : path.slice(path.lastIndexOf('/') + 1);
    return `${shown}:${row}:${column}`;
  }
  return undefined;
}

/** `at handler (file:///srv/app/handlers.js:12:9)`. Uses the last parenthesis: a function's name may contain any text. */
const frame =
  /^\s+at (?:.* \(|async |)((?:file:\/\/|webpack[\w-]*:\/\/|[A-Za-z]:[\\/]|[\\/])[^<>\p{Cc}]*):(\d{1,9}):(\d{1,9})\)?$/u;

/** Longer lines are skipped, because matching them costs time. */
const maxLine = 1_000;

/** Stacks can be as long as messages. */
const maxFrames = 20_000;

/** Returns the frames of the stack. Skips the message, whose lines may look like frames. */
function frameLines(error: unknown): string[] {
  const [stack, message] = [propertyOf(error, 'stack'), propertyOf(error, 'message')];
  if (typeof stack !== 'string' || typeof message !== 'string') return [];
  const isShort = (line: string) => line.length <= maxLine && !line.includes('eval at ');
  const end = headEnd(stack, message);
  if (end === undefined) {
    const { existsSync } = process.getBuiltinModule('node:fs');
    const exists = (line: string) => existsSync(pathOf(frame.exec(line)?.[1] ?? '', '') ?? '');
    return stack.slice(-maxFrames).split('\n').filter(isShort).filter(exists);
  }
  const lines = stack.slice(end + 1, end + maxFrames).split('\n');
  const other = lines.findIndex((line) => !/^\s+at /.test(line));
  return lines.slice(0, other === -1 ? undefined : other).filter(isShort);
}

/** Returns the length of `Name: message` at the start of a stack; undefined if the message was changed afterwards. */
function headEnd(stack: string, message: string): number | undefined {
  const start = message === '' ? stack.indexOf('\n') : stack.indexOf(message);
  const head = stack.slice(0, start);
  const end = start + message.length;
  const isHead = start > 0 && !head.includes('\n') && (message === '' ? !head.includes(':') : true);
  return isHead && stack[end] === '\n' ? end : undefined;
}

/** Returns an absolute path with slashes. */
function pathOf(location: string, directory: string): string | undefined {
  try {
    const bundled = /^webpack[\w-]*:\/\/[^/]*\/([^?]*)/.exec(location)?.[1];
    if (bundled !== undefined) return process.getBuiltinModule('node:path').posix.join(directory, bundled);
    if (!location.startsWith('file:')) return location.replaceAll('\\', '/');
    return decodeURIComponent(new URL(location).pathname).replace(/^\/(?=[A-Za-z]:)/, '');
  } catch {
    return undefined;
  }
}

/** Returns an empty string if the working directory was removed. */
function workingDirectory(): string {
  try {
    return process.cwd().replaceAll('\\', '/');
  } catch {
    return '';
  }
}

function isForeign(path: string): boolean {
  return path.includes('/node_modules/') || ownFolders().some((folder) => path.startsWith(folder));
}

/**
 * Returns the folders of Busbar, in its sources or in `dist`. Returns none if Busbar is bundled into another program,
 * whose folders may have the same names.
 */
function ownFolders(): readonly string[] {
  if (folders === undefined) {
    const own = pathOf(import.meta.url, '') ?? '';
    const [, home, file] = /^(.*\/)(src\/base\/user-frame\.ts|dist\/chunks\/base\.js)$/.exec(own) ?? [];
    const names = file?.startsWith('dist/')
      ? ['dist/src/', 'dist/catalogue/', 'dist/chunks/', 'emulator/dist/']
      : ['src/', 'emulator/', 'catalogue/'];
    folders = home === undefined ? [] : names.map((name) => home + name);
  }
  return folders;
}

let folders: readonly string[] | undefined;
