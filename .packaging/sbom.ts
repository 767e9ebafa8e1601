import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { type Manifest, manifestOf, packageFolders } from './manifest.js';

interface Component {
  readonly 'bom-ref': string;
  readonly name: string;
}
/** The fields of a CycloneDX document that we read or change. */
export interface Document {
  readonly serialNumber?: string;
  readonly metadata: { readonly timestamp?: string; readonly component: Component };
  readonly components: readonly Component[];
  readonly dependencies: readonly { readonly ref: string; readonly dependsOn: readonly string[] }[];
}

/**
 * Returns the software bill of materials of a package as CycloneDX JSON. It lists the packages that npm installs with the
 * package, and the packages that the build made part of it. The same lock file gives the same text.
 * @param locked All packages of the lock file.
 * @param licences The files `THIRD-PARTY-LICENSES.md` of the package, which name its parts.
 */
export function sbomOf(
  locked: Document,
  root: string,
  packageName: string,
  licences: readonly string[],
): string {
  const { serialNumber: _random, metadata, components, dependencies, ...head } = locked;
  const { timestamp: _now, ...lasting } = metadata;
  const manifests = packageFolders.map((folder) => manifestOf(join(root, folder)));
  const bundled = licences.flatMap((text) =>
    [...text.matchAll(/^## (\S+) - (\S+)/gm)].map(([, name, version]) => `${name}@${version}`),
  );

  const theirs = new Map(dependencies.map(({ ref, dependsOn }) => [ref, dependsOn]));
  const ours = new Map(
    manifests.map((manifest) => {
      const refs = theirs.get(refOf(manifest)) ?? [];
      const installed = requiredBy(manifest).map(
        (name) => refs.find((ref) => ref.startsWith(`${name}@`)) ?? name,
      );
      return [refOf(manifest), manifest.name === packageName ? [...installed, ...bundled] : installed];
    }),
  );
  const needs = (ref: string): readonly string[] => [...new Set(ours.get(ref) ?? theirs.get(ref))];
  const subject = manifests
    .filter(({ name }) => name === packageName)
    .map(refOf)
    .join();
  const reached = new Set([subject]);
  for (const ref of reached) for (const next of needs(ref)) reached.add(next);

  const known = new Map([metadata.component, ...components].map((each) => [each['bom-ref'], each]));
  const component = (ref: string) => {
    const found = known.get(ref);
    if (found === undefined) throw new Error(`package-lock.json lacks "${ref}". Run "npm install".`);
    const name = manifests.find((manifest) => ref === refOf(manifest))?.name ?? found.name;
    const properties = bundled.includes(ref) ? [{ name: 'cdx:npm:package:bundled', value: 'true' }] : [];
    return { ...found, name, properties };
  };
  const refs = [...reached].sort();
  const document = {
    ...head,
    metadata: { ...lasting, component: component(subject) },
    components: refs.filter((ref) => ref !== subject).map(component),
    dependencies: refs.map((ref) => ({ ref, dependsOn: needs(ref) })),
  };
  return `${JSON.stringify(document, null, 2)}\n`;
}

function refOf({ name, version }: Manifest): string {
  return `${name}@${version}`;
}

/** Returns the names of the packages that npm installs with a package. */
function requiredBy({ dependencies, peerDependencies, peerDependenciesMeta }: Manifest): string[] {
  const peers = Object.keys(peerDependencies ?? {}).filter((name) => !peerDependenciesMeta?.[name]?.optional);
  return [...Object.keys(dependencies ?? {}), ...peers];
}

/** Returns all packages of the lock file. `--omit dev` of npm also omits what both kinds of dependencies need. */
export function lockedPackages(root: string): Document {
  const args = ['sbom', '--sbom-format', 'cyclonedx', '--sbom-type', 'library', '--package-lock-only'];
  const options = { cwd: root, encoding: 'utf8', maxBuffer: 2 ** 26 } as const;
  return JSON.parse(
    execFileSync('npm', args, { ...options, stdio: ['ignore', 'pipe', 'inherit'] }),
  ) as Document;
}
