import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, relative, resolve } from 'node:path';
import { BusbarError, quoted } from '../../base/errors.js';
import { foldersUp } from '../../base/folders-up.js';

const { version } = createRequire(import.meta.url)('busbar/package.json') as { version: string };

/**
 * Returns the dependencies of a service on the tarballs of both packages, which are neighbours. Without `source`, they
 * are where this command was installed from; undefined if that is the registry.
 * @param source Folder or URL.
 * @throws BusbarError `file-failed` if a tarball does not exist
 */
export function tarballs(folder: string, source = ownSource()) {
  if (source === undefined) return undefined;
  const isUrl = /^https?:/.test(source);
  const at = (name: string) => {
    const file = `${name}-${version}.tgz`;
    if (isUrl) return `${source.replace(/\/$/, '')}/${file}`;
    const path = resolve(source, file);
    if (existsSync(path)) return `file:${relative(folder, path).replaceAll('\\', '/')}`;
    const message = `Folder ${quoted(source)} has no ${quoted(file)}. Name the folder of both tarballs with --packages.`;
    throw new BusbarError('file-failed', message);
  };
  return {
    dependencies: { busbar: at('busbar') },
    devDependencies: { 'busbar-emulator': at('busbar-emulator') },
  };
}

/**
 * Returns the folder or URL of the tarball that this command was installed from, for example by
 * `npx --package=<tarball>`: the project that npx creates has the tarball in its `package.json`.
 */
function ownSource(): string | undefined {
  for (const folder of foldersUp(dirname(process.argv[1] ?? ''))) {
    const manifest = join(folder, 'package.json');
    if (!existsSync(manifest)) continue;
    const { dependencies } = JSON.parse(readFileSync(manifest, 'utf8')) as {
      dependencies?: { busbar?: string };
    };
    const [, path] = /^(?:file:)?(.*)\/busbar-[^/]+\.tgz$/.exec(dependencies?.busbar ?? '') ?? [];
    if (path !== undefined) return /^https?:/.test(path) ? path : resolve(folder, path);
  }
  return undefined;
}
