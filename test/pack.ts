import { execFileSync } from 'node:child_process';
import { join } from 'node:path';

export interface Packed {
  /** The path of the archive. */
  readonly tarball: string;
  readonly size: number;
  readonly unpackedSize: number;
  readonly entryCount: number;
}

/** Packs the package as it would be published, into that folder. */
export function pack(folder: string): Packed {
  const root = new URL('..', import.meta.url).pathname;
  const output = execFileSync('npm', ['pack', '--json', '--pack-destination', folder], {
    cwd: root,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [{ filename, ...packed }] = JSON.parse(output) as [Omit<Packed, 'tarball'> & { filename: string }];
  return { ...packed, tarball: join(folder, filename) };
}
