// What users load, in few files: each module costs a process that starts half a millisecond (docs/decisions/0009).
import { readdirSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { relative } from 'node:path';
import { type BuildEnvironmentOptions, defineConfig, type UserConfig } from 'vite';

interface Manifest {
  readonly exports: Readonly<Record<string, string | { readonly default: string }>>;
}

/** The entry points of a package: `./dist/src/index.js` comes from `src/index.ts` in the package's folder. */
function entriesOf(folder: string): readonly string[] {
  const { exports } = createRequire(import.meta.url)(`${folder}/package.json`) as Manifest;
  const files = Object.values(exports).flatMap((each) => (typeof each === 'string' ? [] : each.default));
  return files.map((file) => file.slice('./dist/'.length, -'.js'.length));
}

/** Sources that are one file together: they would be many, shared as they are by entry points in many ways. */
const groups = [
  // What commands and the broker need, too, which load no consumer.
  { name: 'base', test: /^src\/base\// },
  // What every consumer needs, whatever its transport.
  {
    name: 'consumer',
    test: /^(src\/(?!cli\/|operations\/|transports\/(kafka|websocket))|catalogue\/(?!export|generate|compile|violations|sync))/,
  },
].map(({ name, test }) => ({ name, test: (id: string) => test.test(relative(import.meta.dirname, id)) }));

// They are named by what is in them; all else in `dist` is written over, and the declarations are kept up by tsc.
for (const folder of ['dist', 'emulator/dist']) rmSync(`${folder}/chunks`, { recursive: true, force: true });

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
    build: {
      ...build,
      outDir: 'dist',
      rolldownOptions: {
        external,
        input: Object.fromEntries([...entriesOf('.'), 'src/cli/main'].map((entry) => [entry, `${entry}.ts`])),
        output: { ...output, codeSplitting: { groups } },
      },
    },
  },
  emulator: {
    consumer: 'server',
    build: {
      ...build,
      outDir: 'emulator/dist',
      rolldownOptions: {
        external,
        input: {
          ...Object.fromEntries(
            [...entriesOf('./emulator'), 'cli/main'].map((entry) => [entry, `emulator/${entry}.ts`]),
          ),
          'bench/measured': 'bench/measured.ts',
        },
        output,
      },
    },
  },
  examples: {
    consumer: 'server',
    build: {
      ...build,
      outDir: 'dist/examples',
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
  builder: {
    async buildApp(builder) {
      for (const [name, environment] of Object.entries(builder.environments)) {
        if (Object.hasOwn(environments, name)) await builder.build(environment);
      }
    },
  },
  environments,
});
