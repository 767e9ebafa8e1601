import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The folders of both packages, from the root. The framework comes first, because the emulator needs it. */
export const packageFolders = ['.', 'emulator'] as const;

export interface Manifest {
  readonly name: string;
  readonly version: string;
  /** Address of the repository, only in the manifest of the root. The addresses of both packages derive from it. */
  readonly repository?: string;
  readonly exports: Readonly<Record<string, string | { readonly types?: string; readonly default: string }>>;
  readonly bin: Readonly<Record<string, string>>;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly peerDependencies?: Readonly<Record<string, string>>;
  readonly peerDependenciesMeta?: Readonly<Record<string, { readonly optional?: boolean }>>;
}

export function manifestOf(folder: string): Manifest {
  return JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Manifest;
}
