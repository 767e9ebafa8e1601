import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Decision, decisionsOf } from '../decisions.js';

/**
 * The decisions marked in the JSON files of the repository: every document of the catalogue, and whatever file of
 * `src/` and `emulator/` is named `decisions.json`.
 */
export function markedDecisions(root: string): Decision[] {
  const paths = ['catalogue', 'src', 'emulator'].flatMap((house) => {
    const files = existsSync(join(root, house))
      ? readdirSync(join(root, house), { recursive: true, encoding: 'utf8' })
      : [];
    const wanted = house === 'catalogue' ? /^(?!generated).*\.json$/ : /(^|[\\/])decisions\.json$/;
    return files.filter((file) => wanted.test(file)).map((file) => `${house}/${file.replaceAll('\\', '/')}`);
  });
  return paths.flatMap((path) => decisionsOf(path, JSON.parse(readFileSync(join(root, path), 'utf8'))));
}
