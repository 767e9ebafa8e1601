import { createRequire } from 'node:module';
import { join } from 'node:path';

interface Manifest {
  readonly name: string;
  readonly exports: Readonly<Record<string, string | { readonly types?: string; readonly default: string }>>;
  readonly dependencies: Readonly<Record<string, string>>;
  readonly peerDependencies: Readonly<Record<string, string>>;
}

/** One entry point of a package. */
export interface EntryPoint {
  /** The name that users import: `busbar/kafka`. */
  readonly specifier: string;
  /** The built file in `dist`, without extension: `src/transports/kafka/index`. */
  readonly built: string;
  /** The absolute path of the source. */
  readonly source: string;
  /** Whether the package has declarations for it. */
  readonly isTyped: boolean;
}

/** Returns the entry points that the manifest of a package exports. `folder` is relative to the root. */
export function entryPointsOf(folder: string): readonly EntryPoint[] {
  const { name, exports } = manifestOf(folder);
  return Object.entries(exports).flatMap(([subpath, entry]) => {
    if (typeof entry === 'string') return [];
    const built = entry.default.slice('./dist/'.length, -'.js'.length);
    return {
      specifier: name + subpath.slice(1),
      built,
      source: join(import.meta.dirname, folder, `${built}.ts`),
      isTyped: entry.types !== undefined,
    };
  });
}

/** Returns the packages that users install with a package. */
export function installedWith(folder: string): string[] {
  const { dependencies, peerDependencies } = manifestOf(folder);
  return Object.keys({ ...dependencies, ...peerDependencies });
}

function manifestOf(folder: string): Manifest {
  return createRequire(import.meta.url)(join(import.meta.dirname, folder, 'package.json')) as Manifest;
}
