import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

export interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly exports: Readonly<Record<string, unknown>>;
  readonly bin: Readonly<Record<string, string>>;
  readonly dependencies: Readonly<Record<string, string>>;
}

/** A packed package. */
export interface Packed {
  readonly manifest: Manifest;
  /** The path of the archive. */
  readonly tarball: string;
  /** Bytes of the archive. */
  readonly size: number;
  readonly unpackedSize: number;
  readonly files: readonly { readonly path: string }[];
}

const root = new URL('..', import.meta.url).pathname;

/** Packs `busbar` and `busbar-emulator` as they would be published, into that folder. */
export function pack(folder: string): { readonly busbar: Packed; readonly emulator: Packed } {
  return { busbar: packIn('.', folder), emulator: packIn('emulator', folder) };
}

/** The dependencies of a project that installs both packages from their tarballs. */
export function packedDependencies(folder: string): Readonly<Record<string, string>> {
  const { busbar, emulator } = pack(folder);
  return { busbar: `file:${busbar.tarball}`, 'busbar-emulator': `file:${emulator.tarball}` };
}

function packIn(path: string, folder: string): Packed {
  const output = execFileSync('npm', ['pack', '--json', '--pack-destination', folder], {
    cwd: join(root, path),
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [{ filename, ...packed }] = JSON.parse(output) as [
    Omit<Packed, 'tarball' | 'manifest'> & { filename: string },
  ];
  const manifest = JSON.parse(readFileSync(join(root, path, 'package.json'), 'utf8')) as Manifest;
  return { ...packed, manifest, tarball: join(folder, filename) };
}
