import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { BusbarError } from '../base/errors.js';
import { quoted } from '../base/quoted.js';

const names = ['ts', 'js', 'mjs', 'json'].map((extension) => `busbar.config.${extension}`);

/** Returns the path of the configuration file in the folder or in the nearest one above. @throws BusbarError `invalid-module` */
export function findConfig(folder: string): string | undefined {
  const [name, second] = names.filter((each) => existsSync(join(folder, each)));
  if (second !== undefined) {
    const message = `Folder ${quoted(folder)} has "${name}" and "${second}". Remove one of them.`;
    throw new BusbarError('invalid-module', message);
  }
  if (name !== undefined) return join(folder, name);
  const above = dirname(folder);
  return above === folder ? undefined : findConfig(above);
}
