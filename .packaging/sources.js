// Whether the built files are those of the sources: shared by `npm start` and `npm test`.
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Builds with `build` unless `stamp` has the hash of the sources, and writes it then. */
export async function buildIfChanged(stamp, build) {
  const hash = hashOfSources();
  if (read(stamp) === hash) return;
  await build();
  writeFileSync(stamp, hash);
}

function hashOfSources() {
  const sum = createHash('sha256');
  const folders = ['.packaging', 'catalogue', 'src', 'emulator', 'examples'];
  const files = folders.flatMap((folder) =>
    readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name))
      .filter((path) => !/[\\/](dist|node_modules)[\\/]/.test(path)),
  );
  const rootFiles = readdirSync('.').filter((name) => /\.(ts|json)$/.test(name));
  for (const path of [...files, ...rootFiles].sort()) sum.update(`${path}\n`).update(readFileSync(path));
  return sum.digest('hex');
}

function read(path) {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
}
