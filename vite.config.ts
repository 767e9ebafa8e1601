// What users load, in few files: each module costs a process that starts half a millisecond (docs/decisions/0009).
import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { CodeSplittingGroup } from 'rolldown';
import {
  type BuildEnvironmentOptions,
  defineConfig,
  normalizePath,
  type Plugin,
  type UserConfig,
} from 'vite';
import { entryPointsOf, installedWith } from './.packaging/entry-points.ts';

/** The entry points of a package and its command, by built file. */
function inputOf(folder: string, command: string): Record<string, string> {
  const path = join(import.meta.dirname, folder);
  return {
    ...Object.fromEntries(entryPointsOf(folder).map(({ built, source }) => [built, source] as const)),
    [command]: join(path, `${command}.ts`),
  };
}

/** Users install the dependencies of a package. All other packages that it imports become part of it. */
function resolveFor(folder: string) {
  return { noExternal: true as const, external: installedWith(folder) };
}

/** Sources that are one file together: they would be many, shared as they are by entry points in many ways. */
const together: Readonly<Record<'framework' | 'emulator', CodeSplittingGroup[]>> = {
  framework: [
    // What commands and the broker need, too, which load no consumer.
    loadedBy('base', 'src/base/index.ts', 'src/dead-letter.ts', 'src/replay.ts'),
    loadedBy('consumer', 'src/index.ts'),
    loadedBy('command-line', 'src/cli/command-line.ts'),
    loadedBy('connection', 'src/transports/kafka/connection.ts', 'src/transports/kafka/producer-options.ts'),
  ],
  emulator: [
    // What `emulate --help` needs, too.
    loadedBy('flags', 'emulator/cli/run-flags.ts', 'emulator/cli/open-sinks.ts'),
    loadedBy('run', 'emulator/cli/follow-run.ts', 'emulator/start/start-emulator.ts'),
  ],
};

/** The sources that a process loads with certain ones. */
function loadedBy(name: string, ...sources: readonly string[]): CodeSplittingGroup {
  let loaded: Set<string> | undefined;
  return {
    debugName: name,
    name(id, context) {
      if (loaded === undefined) {
        loaded = new Set(sources.map((path) => normalizePath(join(import.meta.dirname, path))));
        for (const each of loaded)
          for (const next of context.getModuleInfo(each)?.importedIds ?? []) loaded.add(next);
      }
      return loaded.has(id) ? name : null;
    },
  };
}

/** Leaves out the packages that lay out the help of yargs, which Busbar never prints: a start spent 20 ms on them. */
const withoutYargsHelp: Plugin = {
  name: 'without-yargs-help',
  load: (id) => (/\/node_modules\/(cliui|string-width)\//.test(id) ? 'export default undefined;' : undefined),
};

/** As packages are: what is generated is loaded when it is wanted, and an example has the library by its name. */
const external = /^(#|busbar(-emulator)?(\/|$))/;

const build = {
  ssr: true,
  emptyOutDir: false,
  minify: false,
  target: 'node20',
} satisfies BuildEnvironmentOptions;

const output = {
  entryFileNames: '[name].js',
  chunkFileNames: 'chunks/[name].js',
  minifyInternalExports: false,
  // The declarations have them; here each process would read them.
  comments: { jsdoc: false },
};

const environments: UserConfig['environments'] = {
  framework: {
    consumer: 'server',
    resolve: resolveFor('.'),
    build: {
      ...build,
      outDir: 'dist',
      // Of the packages that become part of it. What the emulator bundles is in the page, which has a list of its own.
      license: { fileName: 'THIRD-PARTY-LICENSES.md' },
      rolldownOptions: {
        external,
        input: inputOf('.', 'src/cli/main'),
        output: { ...output, codeSplitting: { groups: together.framework } },
      },
    },
  },
  emulator: {
    consumer: 'server',
    resolve: resolveFor('emulator'),
    build: {
      ...build,
      outDir: 'emulator/dist',
      rolldownOptions: {
        external,
        input: {
          ...inputOf('emulator', 'cli/main'),
          'bench/measured': 'bench/measured.ts',
        },
        output: { ...output, codeSplitting: { groups: together.emulator } },
      },
    },
  },
  examples: {
    consumer: 'server',
    build: {
      ...build,
      outDir: 'dist/examples',
      sourcemap: true,
      rolldownOptions: {
        external,
        input: readdirSync('examples').flatMap((file) => (file.endsWith('.ts') ? `examples/${file}` : [])),
        output: { preserveModules: true, preserveModulesRoot: 'examples' },
      },
    },
  },
};

export default defineConfig({
  logLevel: 'warn',
  publicDir: false,
  plugins: [withoutYargsHelp],
  builder: {
    async buildApp(builder) {
      // Chunks are named by what is in them. All else in `dist` is written over.
      for (const folder of ['dist', 'emulator/dist'])
        rmSync(join(import.meta.dirname, folder, 'chunks'), { recursive: true, force: true });
      for (const [name, environment] of Object.entries(builder.environments)) {
        if (Object.hasOwn(environments, name)) await builder.build(environment);
      }
    },
  },
  environments,
});
