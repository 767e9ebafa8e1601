import { existsSync, readdirSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { parseSync } from 'rolldown/utils';
import ts from 'typescript';

export const root = resolve(import.meta.dirname, '..');

/** Returns the compiler options of tsconfig.json. */
export function compilerOptions(): ts.CompilerOptions {
  const { config } = ts.readConfigFile(join(root, 'tsconfig.json'), (file) => ts.sys.readFile(file)) as {
    config: unknown;
  };
  return ts.parseJsonConfigFileContent(config, { ...ts.sys, readDirectory: () => [] }, root).options;
}

/** The sources of Busbar's own packages by the names under which they are imported, as tsconfig.json has them. */
export const packageNames: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries(compilerOptions().paths ?? {}).map(([name, [file = '']]) => [name, file]),
);

export interface Import {
  /** Path of the importing file, from the root: `src/consumer.ts`. */
  readonly from: string;
  /** As it is written: `./registry.js`, `busbar/base`. */
  readonly specifier: string;
  /** Path of the imported file from the root, without extension, or the name of a package: `kafkajs`. */
  readonly to: string;
  readonly isTypeOnly: boolean;
}

/** Sources of a top folder, by paths from the root; not what is generated, and not the template of `busbar init`. */
export function sourcesIn(folder: string): string[] {
  if (!existsSync(join(root, folder))) return [];
  return readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .map((path) => `${folder}/${path.replaceAll('\\', '/')}`)
    .filter(
      (path) =>
        /\.tsx?$/.test(path) &&
        !/generated\/|fixtures\/|template\/|node_modules\/|dist\/|\.d\.ts$/.test(path),
    );
}

/** Every import and export declaration and every dynamic import, in their order, modules of Node left out. */
export function importsOf(from: string, source: string): Import[] {
  // The compiler takes ten times as long to parse all sources.
  const { module, errors } = parseSync(from, source);
  if (errors.length > 0) throw new Error(`${from}: ${errors[0]?.message ?? ''}`);
  const imported = module.staticImports.map(({ start, moduleRequest, entries }) => {
    const isTypeOnly = entries.length > 0 && entries.every(({ isType }) => isType);
    return { start, specifier: moduleRequest.value, isTypeOnly };
  });
  const exported = module.staticExports.flatMap(({ start, end, entries: [first, ...others] }) => {
    // An export of an imported name, without "from", is found at the import.
    if (!first?.moduleRequest || first.start >= end) return [];
    const isTypeOnly = [first, ...others].every(({ isType }) => isType);
    return [{ start, specifier: first.moduleRequest.value, isTypeOnly }];
  });
  const dynamic = module.dynamicImports.flatMap(({ start, moduleRequest }) => {
    const text = source.slice(moduleRequest.start, moduleRequest.end);
    return /^'.*'$|^".*"$/.test(text) ? [{ start, specifier: text.slice(1, -1), isTypeOnly: false }] : [];
  });
  return [...imported, ...exported, ...dynamic]
    .filter(({ specifier }) => !specifier.startsWith('node:'))
    .sort((one, other) => one.start - other.start)
    .map(({ specifier, isTypeOnly }) => ({ from, specifier, to: targetOf(from, specifier), isTypeOnly }));
}

/** Groups of files of which each reaches each other by imports, without extensions; type imports count. */
export function circles(imports: readonly Import[]): string[][] {
  const targets = new Map<string, Set<string>>();
  for (const { from, to } of imports) {
    const file = from.replace(/\.tsx?$/, '');
    targets.set(file, (targets.get(file) ?? new Set()).add(to));
  }
  const reach = new Map([...targets.keys()].map((file) => [file, reachableFrom(file, targets)]));
  const isMutual = (one: string, other: string) => reach.get(one)?.has(other) && reach.get(other)?.has(one);
  const found: string[][] = [];
  for (const file of [...reach.keys()].sort()) {
    if (!isMutual(file, file)) continue;
    const circle = found.find(([first = '']) => isMutual(first, file));
    if (circle) circle.push(file);
    else found.push([file]);
  }
  return found;
}

function reachableFrom(start: string, targets: ReadonlyMap<string, ReadonlySet<string>>): Set<string> {
  const reached = new Set<string>();
  const left = [start];
  for (let file = left.pop(); file !== undefined; file = left.pop()) {
    for (const target of targets.get(file) ?? []) {
      if (reached.has(target) || !targets.has(target)) continue;
      reached.add(target);
      left.push(target);
    }
  }
  return reached;
}

function targetOf(from: string, specifier: string): string {
  if (specifier.startsWith('.'))
    return withoutExtension(join(dirname(from), specifier).replaceAll('\\', '/'));
  if (specifier.startsWith('#generated/'))
    return withoutExtension(`catalogue/generated/${specifier.slice('#generated/'.length)}`);
  const own = packageNames[specifier];
  if (own !== undefined) return withoutExtension(own.slice('./'.length));
  return specifier
    .split('/')
    .slice(0, specifier.startsWith('@') ? 2 : 1)
    .join('/');
}

function withoutExtension(path: string): string {
  return path.replace(/\.[jt]sx?$/, '');
}

/** Uses of the wall clock, shared randomness and zone data. Reads the syntax tree: a comment may speak of them. */
export function impurities(source: string): string[] {
  const found: string[] = [];
  if (!/Date|Math|Intl|performance|toLocale|localeCompare/.test(source)) return found;
  const visit = (node: ts.Node): void => {
    if (ts.isPropertyAccessExpression(node) && ts.isIdentifier(node.expression)) {
      const name = `${node.expression.text}.${node.name.text}`;
      if (name === 'Date.now' || name === 'Math.random') found.push(name);
      if (node.expression.text === 'Intl' || node.expression.text === 'performance')
        found.push(node.expression.text);
      if (/\.toLocale|\.localeCompare$/.test(`.${node.name.text}`)) found.push(node.name.text);
    }
    if (ts.isNewExpression(node) && ts.isIdentifier(node.expression) && node.expression.text === 'Date') {
      if ((node.arguments?.length ?? 0) === 0) found.push('new Date()');
    }
    ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile('source.ts', source, ts.ScriptTarget.Latest));
  return found;
}
