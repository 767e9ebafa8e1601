import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { BusbarError, quoted } from '../base/errors.js';
import { foldersUp } from '../base/folders-up.js';

// The reader refuses the last ones.
const extensions = ['ts', 'mts', 'cts', 'js', 'mjs', 'cjs', 'json', 'yaml', 'yml', 'jsonc', 'json5', 'toml'];
const names = extensions.map((extension) => `busbar.config.${extension}`);

/** Returns the path of the file that `BUSBAR_CONFIG` names, else of the nearest one. @throws BusbarError `invalid-module` */
export function configFile(): string | undefined {
  const named = process.env['BUSBAR_CONFIG'];
  return named ? resolve(named) : findConfig(process.cwd());
}

/** Returns the path of the configuration file in the folder or in the nearest one above. @throws BusbarError `invalid-module` */
function findConfig(start: string): string | undefined {
  for (const folder of foldersUp(start)) {
    const [name, second] = names.filter((each) => existsSync(join(folder, each)));
    if (second !== undefined) {
      const message = `Folder ${quoted(folder)} has "${name}" and "${second}". Remove one of them.`;
      throw new BusbarError('invalid-module', message);
    }
    if (name !== undefined) return join(folder, name);
  }
  return undefined;
}
