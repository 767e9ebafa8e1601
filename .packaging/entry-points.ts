import { join } from 'node:path';
import { manifestOf } from './manifest.js';

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

const root = join(import.meta.dirname, '..');

/** Returns the entry points that the manifest of a package exports. `folder` is relative to the root. */
export function entryPointsOf(folder: string): readonly EntryPoint[] {
  const { name, exports } = manifestOf(join(root, folder));
  return Object.entries(exports).flatMap(([subpath, entry]) => {
    if (typeof entry === 'string') return [];
    const built = entry.default.slice('./dist/'.length, -'.js'.length);
    return {
      specifier: name + subpath.slice(1),
      built,
      source: join(root, folder, `${built}.ts`),
      isTyped: entry.types !== undefined,
    };
  });
}

/** Returns the packages that users install with a package. */
export function installedWith(folder: string): string[] {
  const { dependencies, peerDependencies } = manifestOf(join(root, folder));
  return Object.keys({ ...dependencies, ...peerDependencies });
}
