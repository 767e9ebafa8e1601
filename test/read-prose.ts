import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { root } from './read-sources.js';

/** The sources and pages that people read, by paths from the root; not what is generated, and not this check. */
export function proseFiles(): string[] {
  const folders = ['src', 'emulator', 'catalogue', 'docs', 'test', 'examples'].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).map(
      (path) => `${folder}/${path.replaceAll('\\', '/')}`,
    ),
  );
  return [...folders, 'README.md', 'CONTRIBUTING.md', 'CHANGELOG.md'].filter(
    (path) =>
      /\.(tsx?|md)$/.test(path) && !/(^|\/)(generated|dist|node_modules)\/|test\/(read-)?prose/.test(path),
  );
}

/** Returns the names of tests: the first argument of `it`, if it is a literal. */
export function testNames(): string[] {
  const names: string[] = [];
  const visit = (node: ts.Node): void => {
    const [name] = ts.isCallExpression(node) ? node.arguments : [];
    if (name !== undefined && ts.isStringLiteralLike(name) && ts.isCallExpression(node)) {
      if (/^it\b/.test(node.expression.getText())) names.push(name.text);
    }
    ts.forEachChild(node, visit);
  };
  for (const file of proseFiles().filter((path) => path.startsWith('test/') && path.endsWith('.test.ts'))) {
    visit(ts.createSourceFile(file, readFileSync(join(root, file), 'utf8'), ts.ScriptTarget.Latest, true));
  }
  return names;
}
