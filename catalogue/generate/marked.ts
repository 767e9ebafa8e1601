import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Decision, decisionsOf } from '../decisions.js';

/**
 * Returns the decisions marked in the JSON files of the repository: all documents of the catalogue, and the files named
 * `decisions.json` in `src/` and `emulator/`.
 */
export function markedDecisions(root: string): Decision[] {
  const paths = ['catalogue', 'src', 'emulator'].flatMap((folder) => {
    const files = existsSync(join(root, folder))
      ? readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
      : [];
    const pattern = folder === 'catalogue' ? /^(?!generated).*\.json$/ : /(^|[\\/])decisions\.json$/;
    return files
      .filter((file) => pattern.test(file))
      .map((file) => `${folder}/${file.replaceAll('\\', '/')}`);
  });
  return paths.flatMap((path) => decisionsOf(path, JSON.parse(readFileSync(join(root, path), 'utf8'))));
}
