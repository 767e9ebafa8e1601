import { pack } from '../.packaging/pack.js';

/** The dependencies of a project that installs both packages from their tarballs. */
export function packedDependencies(folder: string): Readonly<Record<string, string>> {
  const { busbar, emulator } = pack(folder);
  return { busbar: `file:${busbar.tarball}`, 'busbar-emulator': `file:${emulator.tarball}` };
}
