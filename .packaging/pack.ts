import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { packedPage } from './links.js';
import { type Manifest, manifestOf } from './manifest.js';

/** A packed package. */
export interface Packed {
  readonly manifest: Manifest;
  /** The folder of the package, from the root. */
  readonly folder: string;
  /** The path of the archive. */
  readonly tarball: string;
  /** Bytes of the archive. */
  readonly size: number;
  readonly unpackedSize: number;
  readonly files: readonly { readonly path: string }[];
}

/** Fields of a manifest that only the repository needs. */
const development = ['scripts', 'devDependencies', 'workspaces', 'packageManager', 'allowScripts'];

/**
 * Packs `busbar` and `busbar-emulator` as they are published, and writes the archives to `destination`.
 * @param root The repository.
 */
export function pack(destination: string, root = join(import.meta.dirname, '..')) {
  const repository = manifestOf(root).repository;
  const packOne = (folder: string) => {
    const staging = mkdtempSync(join(tmpdir(), 'busbar-pack-'));
    try {
      const { tarball, files } = npmPack(join(root, folder), staging);
      execFileSync('tar', ['-xzf', tarball, '-C', staging]);
      const unpacked = join(staging, 'package');
      const manifest = manifestOf(unpacked);
      const published = { ...manifest, ...addressesOf(repository, folder) };
      const kept = Object.entries(published).filter(([field]) => !development.includes(field));
      writeFileSync(join(unpacked, 'package.json'), `${JSON.stringify(Object.fromEntries(kept), null, 2)}\n`);
      copyFileSync(join(root, 'LICENSE'), join(unpacked, 'LICENSE'));
      const paths = new Set([...files.map(({ path }) => path), 'LICENSE']);
      for (const path of paths) {
        if (!/^[^/]+\.md$/.test(path)) continue;
        const page = readFileSync(join(unpacked, path), 'utf8');
        const tag = `v${manifest.version}`;
        writeFileSync(join(unpacked, path), packedPage(page, { folder, files: paths, repository, tag }));
      }
      return {
        ...npmPack(unpacked, resolve(destination), '--ignore-scripts'),
        manifest: manifestOf(unpacked),
        folder,
      };
    } finally {
      rmSync(staging, { recursive: true, force: true });
    }
  };
  return { busbar: packOne('.'), emulator: packOne('emulator') };
}

/** The addresses in the manifest of a package; none without a repository. */
function addressesOf(repository: string | undefined, folder: string): object {
  if (repository === undefined) return {};
  return {
    repository: {
      type: 'git',
      url: `git+${repository}.git`,
      ...(folder !== '.' && { directory: folder }),
    },
    homepage: `${repository}#readme`,
    bugs: `${repository}/issues`,
  };
}

function npmPack(cwd: string, destination: string, ...args: string[]): Omit<Packed, 'manifest' | 'folder'> {
  const output = execFileSync('npm', ['pack', '--json', '--pack-destination', destination, ...args], {
    cwd,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [{ filename, ...packed }] = JSON.parse(output) as [
    Omit<Packed, 'tarball' | 'manifest' | 'folder'> & { filename: string },
  ];
  return { ...packed, tarball: join(destination, filename) };
}
