import { join } from 'node:path';
import ts from 'typescript';
import { expect } from 'vitest';
import { compilerOptions, root } from './read-sources.js';

/** Files that sources import: read once for all tests of a process. */
const imported = new Map<string, ts.SourceFile | undefined>();

/**
 * Fails with the compiler's words unless every source compiles with the settings of this project and the built
 * declarations of its packages, as users have them. The compiler names a source as the caller does.
 */
export function expectToCompile(sources: Readonly<Record<string, string>>): void {
  const files = new Map(
    Object.entries(sources).map(([name, code], index) => [
      join(root, `test/${name.replaceAll(/\W/g, '-')}-${index}.ts`),
      // A source without an import or export would share its names with the others.
      `${code}\nexport {};\n`,
    ]),
  );
  const options: ts.CompilerOptions = {
    ...compilerOptions(),
    // The sources of the packages are many more files.
    paths: {},
    noEmit: true,
    incremental: false,
  };
  const host = ts.createCompilerHost(options);
  const { fileExists, readFile, getSourceFile } = host;
  host.fileExists = (file) => files.has(file) || fileExists(file);
  host.readFile = (file) => files.get(file) ?? readFile(file);
  host.getSourceFile = (file, ...rest) => {
    if (files.has(file)) return getSourceFile(file, ...rest);
    const source = imported.get(file) ?? getSourceFile(file, ...rest);
    imported.set(file, source);
    return source;
  };
  const program = ts.createProgram([...files.keys()], options, host);
  // Of these files alone: `npm run types` checks what they import.
  const diagnostics = [...files.keys()].flatMap((file) => {
    const source = program.getSourceFile(file);
    return [...program.getSyntacticDiagnostics(source), ...program.getSemanticDiagnostics(source)];
  });
  if (diagnostics.length > 0) expect.fail(ts.formatDiagnostics(diagnostics, host));
}
