import { existsSync, readdirSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import ts from 'typescript';

export const root = resolve(import.meta.dirname, '..');

export interface Import {
  /** Path of the importing file, from the root: `src/consumer.ts`. */
  readonly from: string;
  /** Path of the imported file from the root, without extension, or the name of a package: `kafkajs`. */
  readonly to: string;
  readonly isTypeOnly: boolean;
}

/** Sources of a top folder, by paths from the root; not what is generated. */
export function sourcesIn(folder: string): string[] {
  if (!existsSync(join(root, folder))) return [];
  return readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .map((path) => `${folder}/${path.replaceAll('\\', '/')}`)
    .filter((path) => /\.tsx?$/.test(path) && !/generated\/|fixtures\/|node_modules\/|\.d\.ts$/.test(path));
}

/** Every import and export declaration and every dynamic import, modules of Node left out. */
export function importsOf(from: string, source: string): Import[] {
  const found: Import[] = [];
  const add = (specifier: string, isTypeOnly: boolean) => {
    if (!specifier.startsWith('node:')) found.push({ from, to: targetOf(from, specifier), isTypeOnly });
  };
  const visit = (node: ts.Node): void => {
    if (ts.isImportDeclaration(node) && ts.isStringLiteral(node.moduleSpecifier)) {
      add(node.moduleSpecifier.text, isTypeOnly(node.importClause));
    } else if (
      ts.isExportDeclaration(node) &&
      node.moduleSpecifier &&
      ts.isStringLiteral(node.moduleSpecifier)
    ) {
      add(node.moduleSpecifier.text, node.isTypeOnly);
    } else if (ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword) {
      const [specifier] = node.arguments;
      if (specifier !== undefined && ts.isStringLiteral(specifier)) add(specifier.text, false);
    }
    ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile(from, source, ts.ScriptTarget.Latest));
  return found;
}

function targetOf(from: string, specifier: string): string {
  const path = specifier.startsWith('#generated/')
    ? `catalogue/generated/${specifier.slice('#generated/'.length)}`
    : specifier;
  if (path.startsWith('.'))
    return relative(root, resolve(root, dirname(from), path)).replace(/\.[jt]sx?$/, '');
  if (path !== specifier) return path.replace(/\.js$/, '');
  const own = {
    busbar: 'src/index',
    'busbar/catalogue': 'catalogue/index',
    'busbar/emulator': 'emulator/index',
    'busbar/kafka': 'src/transports/kafka/index',
    'busbar/operations': 'src/operations/index',
  }[path];
  if (own !== undefined) return own;
  if (path.startsWith('busbar/'))
    return path.replace('busbar/', path === 'busbar/websocket' ? 'src/transports/' : 'emulator/');
  return path
    .split('/')
    .slice(0, path.startsWith('@') ? 2 : 1)
    .join('/');
}

/** Uses of the wall clock, shared randomness and zone data. Reads the syntax tree: a comment may speak of them. */
export function impurities(source: string): string[] {
  const found: string[] = [];
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

function isTypeOnly(clause: ts.ImportClause | undefined): boolean {
  if (clause?.phaseModifier === ts.SyntaxKind.TypeKeyword) return true;
  const named = clause?.namedBindings;
  const hasValue = clause?.name !== undefined || named === undefined || ts.isNamespaceImport(named);
  return !hasValue && named.elements.every((element) => element.isTypeOnly);
}
