import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** Yields a folder, and then each one above it. */
export function* foldersUp(folder: string): Generator<string, void, void> {
  yield folder;
  const above = dirname(folder);
  if (above !== folder) yield* foldersUp(above);
}

/** Returns the path of the nearest file or folder of that name, in a folder or in those above it. */
export function nearestUp(folder: string, name: string): string | undefined {
  return Array.from(foldersUp(folder), (each) => join(each, name)).find((path) => existsSync(path));
}
