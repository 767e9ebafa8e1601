// The declarations of both packages: one file for each entry point, and what several of them share in `dist/types`.
import { readdirSync, rmSync } from 'node:fs';
import { dirname, isAbsolute, join, resolve } from 'node:path';
import { build, type Plugin } from 'rolldown';
import { dts } from 'rolldown-plugin-dts';
import { entryPointsOf } from './entry-points.js';
import { manifestOf, packageFolders } from './manifest.js';

for (const folder of packageFolders) {
  const dist = join(folder, 'dist');
  removeDeclarations(dist);
  await build({
    input: Object.fromEntries(
      entryPointsOf(folder)
        .filter(({ isTyped }) => isTyped)
        .map(({ built, source }) => [built, source]),
    ),
    external: (id) => /^[\w@]/.test(id) && !isAbsolute(id),
    logLevel: 'warn',
    checks: { bundlerTimings: false },
    plugins: [
      entryPointsByName(folder),
      dts({
        emitDtsOnly: true,
        sourcemap: false,
        // One program for both packages: it has all their sources.
        eager: true,
        tsconfigRaw: { include: ['catalogue', 'src', 'emulator'] },
        compilerOptions: { noEmit: false, paths: {} },
      }),
      allowMissing(Object.keys(manifestOf(folder).peerDependenciesMeta ?? {})),
    ],
    output: {
      dir: dist,
      chunkFileNames: 'types/[name].js',
      minifyInternalExports: false,
    },
  });
}

/** Imports an entry point by its name, so that its declarations stay in its own file, where users can extend them. */
function entryPointsByName(folder: string): Plugin {
  const names = new Map(entryPointsOf(folder).map(({ source, specifier }) => [source, specifier]));
  return {
    name: 'entry-points-by-name',
    resolveId(id, importer) {
      if (importer === undefined || !id.startsWith('.')) return;
      const source = resolve(dirname(importer), id).replace(/\.js$/, '.ts');
      const specifier = names.get(source);
      return specifier === undefined ? undefined : { id: specifier, external: true };
    },
  };
}

/** Lets declarations compile without the optional packages that they import. */
function allowMissing(packages: readonly string[]): Plugin {
  return {
    name: 'allow-missing',
    renderChunk: (code) =>
      code.replaceAll(/^import .* from "(.*)";$/gm, (line, specifier: string) =>
        packages.includes(specifier) ? `// @ts-ignore: it may not be installed.\n${line}` : line,
      ),
  };
}

/** Removes the declarations of an earlier build: the names of shared files may change. */
function removeDeclarations(dist: string): void {
  for (const path of readdirSync(dist, { recursive: true, encoding: 'utf8' })) {
    if (path.endsWith('.d.ts')) rmSync(join(dist, path));
  }
}
