import { readdir, readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { basename, dirname, join, relative, resolve } from 'node:path';
import { BusbarError, quoted } from '../../base/errors.js';
import { boolean, choice, nonEmptyText } from '../../base/options.js';
import type { TextOutput } from '../../base/output.js';
import { defineCommand } from '../command.js';
import { writeText } from '../write-text.js';
import { type AllowedScripts, managerOf, managers } from './package-manager.js';
import { tarballs } from './tarballs.js';

interface Manifest
  extends Record<'scripts' | 'dependencies' | 'devDependencies', Readonly<Record<string, string>>> {
  readonly allowScripts: AllowedScripts;
}

/** Module that exports the function `test` of each runner. */
const testModules: Manifest['scripts'] = { node: 'node:test', vitest: 'vitest', jest: '@jest/globals' };

interface InitArguments {
  readonly folder: string;
  readonly kafka?: boolean;
  readonly cjs?: boolean;
  readonly test?: string;
  readonly packageManager?: string;
  readonly noInstall?: boolean;
  readonly packages?: string;
}

export const command = defineCommand({
  args: {
    folder: { type: nonEmptyText, isRequired: true, text: 'New or empty folder, named after the service' },
  },
  flags: {
    kafka: { type: boolean, text: 'Consume from Kafka instead of a WebSocket' },
    cjs: { type: boolean, text: 'Write a CommonJS package' },
    test: {
      type: choice(...Object.keys(testModules)),
      default: 'node',
      value: '<runner>',
      text: 'Test runner: node, vitest or jest',
    },
    packageManager: {
      type: choice(...managers),
      value: '<name>',
      text: 'npm, pnpm, yarn or bun; default: the one that runs this',
    },
    noInstall: { type: boolean, text: 'Write the files only' },
    packages: { type: nonEmptyText, value: '<address>', text: 'Folder or URL of both tarballs' },
  },
  examples: ['init my-service', 'init my-service --kafka --test vitest'],
  run: init,
});

const root = dirname(createRequire(import.meta.url).resolve('busbar/package.json'));

/** `busbar init FOLDER`: writes the files of a new service and installs its dependencies. */
async function init(options: InitArguments, output: TextOutput): Promise<void> {
  const { folder, packageManager, noInstall } = options;
  const manager = managerOf(packageManager);
  const files = await filesOf(resolve(folder), options, manager);
  await writeFiles(folder, files);
  output.write(`Created ${Object.keys(files).length} files in ${quoted(folder)}.\n`);
  if (!noInstall) {
    output.write(`Installing the dependencies with ${manager.name}...\n`);
    await manager.install(folder);
  }
  const path = relative('.', folder);
  const first = [
    path && `cd ${path.includes(' ') ? `"${path}"` : path}`,
    noInstall && `${manager.name} install`,
    `${manager.name} run dev`,
  ];
  output.write(
    `\nNext:\n` +
      `  1. ${first.filter(Boolean).join(' && ')}\n     Watch the consumer handle a house move.\n` +
      `  2. ${manager.name} run test\n     Test one handler.\n` +
      `  3. ${manager.name} run verify\n     Find the bug in src/consumer.ts.\n`,
  );
}

/** Returns the files of a service by their paths. */
async function filesOf(
  folder: string,
  { kafka, cjs, test = 'node', packages }: InitArguments,
  { filesFor }: Pick<ReturnType<typeof managerOf>, 'filesFor'>,
) {
  const name = basename(folder);
  if (!/^[a-z0-9][a-z0-9._-]{0,213}$/.test(name)) {
    const message = `A service cannot be named ${quoted(name)}. Use lowercase letters, digits, "-", "." and "_".`;
    throw new BusbarError('invalid-option', message);
  }
  const read = (path: string) => readFile(join(root, 'src/cli/init/template', path), 'utf8');
  const base = JSON.parse(await read('package.json')) as Manifest;
  const runner = test === 'node' ? undefined : (JSON.parse(await read(`${test}.json`)) as Manifest);
  const sources = tarballs(folder, packages);
  const manifest = {
    ...base,
    name,
    ...(cjs && { type: 'commonjs' }),
    ...runner,
    scripts: { ...base.scripts, ...runner?.scripts },
    dependencies: { ...base.dependencies, ...sources?.dependencies },
    devDependencies: { ...base.devDependencies, ...runner?.devDependencies, ...sources?.devDependencies },
  };
  return {
    // npm packs no file of this name.
    '.gitignore': await read('gitignore'),
    'package.json': `${JSON.stringify(manifest, null, 2)}\n`,
    'tsconfig.json': await read('tsconfig.json'),
    'src/consumer.ts': await read('src/consumer.ts'),
    'src/dev.ts': await read('src/dev.ts'),
    'src/main.ts': await read(kafka ? 'src/main.kafka.ts' : 'src/main.ts'),
    'test/consumer.test.ts': (await read('test/consumer.test.ts')).replace(
      'node:test',
      testModules[test] ?? '',
    ),
    ...filesFor(manifest.allowScripts),
  };
}

/** Writes files into a new or empty folder. A folder with only `.git` counts as empty. */
async function writeFiles(folder: string, files: Readonly<Record<string, string>>): Promise<void> {
  const [other] = (await readdir(folder).catch(() => [])).filter((name) => name !== '.git');
  if (other !== undefined) {
    const message = `Folder ${quoted(folder)} has files, for example ${quoted(other)}. Name a new folder.`;
    throw new BusbarError('file-failed', message);
  }
  for (const [path, content] of Object.entries(files))
    writeText(join(folder, path), content, 'Name another folder.', true);
}
