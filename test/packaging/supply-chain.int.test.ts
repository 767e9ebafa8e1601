import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { lockedPackages, sbomOf } from '../../.packaging/sbom.js';
import { root } from '../read-sources.js';

const lock = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as {
  readonly packages: Readonly<
    Record<string, { readonly version?: string; readonly hasInstallScript?: true }>
  >;
};
const scripted = Object.entries(lock.packages)
  .filter(([, { hasInstallScript }]) => hasInstallScript)
  .map(([path, { version }]) => `${path.replace(/^.*node_modules\//, '')}@${version}`);

const locked = lockedPackages(root);

function installedWith(name: string): string[] {
  const { components } = JSON.parse(sbomOf(locked, root, name, [])) as {
    components: { 'bom-ref': string }[];
  };
  return components.map((component) => component['bom-ref']);
}

describe('the lock file', () => {
  it('installs seven packages with busbar, and no install script', () => {
    const installed = installedWith('busbar');
    expect(installed).toHaveLength(7);
    expect(installed.filter((each) => scripted.includes(each))).toEqual([]);
  });

  it('installs no install script with the emulator, though some tools have one', () => {
    expect(scripted).not.toEqual([]);
    expect(installedWith('busbar-emulator').filter((each) => scripted.includes(each))).toEqual([]);
  });
});
