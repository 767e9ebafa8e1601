import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';

const root = new URL('..', import.meta.url).pathname;

/**
 * Fails with the compiler's words unless every source compiles as a module of this project would, with its settings
 * and its own names (`busbar`, `busbar/testing`, ...). The names of the sources are what the compiler says of them.
 */
export function expectToCompile(sources: Readonly<Record<string, string>>): void {
  const parent = join(root, '.cache', 'compile');
  mkdirSync(parent, { recursive: true });
  const folder = mkdtempSync(join(parent, 'sources-'));
  try {
    const files = Object.entries(sources).map(([name, code], index) => {
      const file = join(folder, `${name.replaceAll(/\W/g, '-')}-${index}.ts`);
      // A source without an import or export would share its names with the others.
      writeFileSync(file, `${code}\nexport {};\n`);
      return file;
    });
    const config = join(folder, 'tsconfig.json');
    const compilerOptions = { noEmit: true, incremental: false, rootDir: root, outDir: join(root, 'dist') };
    writeFileSync(
      config,
      JSON.stringify({ extends: join(root, 'tsconfig.json'), compilerOptions, files, include: [] }),
    );
    execFileSync(process.execPath, [join(root, 'node_modules/typescript/bin/tsc'), '-p', config], {
      stdio: 'pipe',
    });
  } catch (error) {
    expect.fail(String((error as { stdout?: Buffer }).stdout ?? error));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
