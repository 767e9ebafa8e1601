import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';

const root = join(import.meta.dirname, '../..');
const file = join(root, 'test/types/written-by-a-user.ts');

/** Errors and completions of a source that imports the built `busbar`. */
export interface Compiler {
  /** The first line of each error, in order, with its line number: `2: Property ...`. */
  readonly errors: (source: string) => string[];
  /** What an editor offers at the mark `|` in the source. */
  readonly completions: (source: string) => string[];
}

/** One language service for all sources: the library is read and checked once. */
export function compiler(): Compiler {
  let text = '';
  let version = 0;
  const service = ts.createLanguageService({
    getCompilationSettings: () => settings,
    getScriptFileNames: () => [file],
    getScriptVersion: (name) => (name === file ? String(version) : '0'),
    getScriptSnapshot(name) {
      if (name === file) return ts.ScriptSnapshot.fromString(text);
      return ts.sys.fileExists(name) ? ts.ScriptSnapshot.fromString(readFileSync(name, 'utf8')) : undefined;
    },
    getCurrentDirectory: () => root,
    getDefaultLibFileName: ts.getDefaultLibFilePath,
    fileExists: (name) => name === file || ts.sys.fileExists(name),
    readFile: (name) => (name === file ? text : ts.sys.readFile(name)),
    directoryExists: (name) => ts.sys.directoryExists(name),
    getDirectories: (name) => ts.sys.getDirectories(name),
  });
  const write = (source: string) => {
    text = `import { createConsumer, on, onAny, onMatching, run } from 'busbar';\n${source}`;
    version++;
  };

  return {
    errors(source) {
      write(source);
      const diagnostics = [...service.getSyntacticDiagnostics(file), ...service.getSemanticDiagnostics(file)];
      return diagnostics.map(({ file: where, start = 0, messageText }) => {
        const message = typeof messageText === 'string' ? messageText : messageText.messageText;
        return `${where?.getLineAndCharacterOfPosition(start).line ?? 0}: ${message}`;
      });
    },
    completions(source) {
      write(source.replace('|', ''));
      const mark = text.length - source.length + source.indexOf('|') + 1;
      const found = service.getCompletionsAtPosition(file, mark, {});
      return found?.entries.map(({ name }) => name) ?? [];
    },
  };
}

const settings: ts.CompilerOptions = {
  target: ts.ScriptTarget.ES2022,
  module: ts.ModuleKind.NodeNext,
  moduleResolution: ts.ModuleResolutionKind.NodeNext,
  moduleDetection: ts.ModuleDetectionKind.Force,
  lib: ['lib.es2023.d.ts'],
  types: ['node'],
  strict: true,
  skipLibCheck: true,
  noEmit: true,
  noUncheckedIndexedAccess: true,
  exactOptionalPropertyTypes: true,
  paths: {},
};
