import { dirname } from 'node:path';

/** Yields a folder, and then each one above it. */
export function* foldersUp(folder: string): Generator<string, void, void> {
  yield folder;
  const above = dirname(folder);
  if (above !== folder) yield* foldersUp(above);
}
