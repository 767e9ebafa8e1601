import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { openCatalogue } from '../catalogue/index.js';
import { type Measured, median, timeOf } from './measure.js';

const root = join(import.meta.dirname, '..');
const rounds = 9;
const handlers = 100;

/**
 * Measures the type check of a consumer with 100 handlers, relative to plain functions, without caches. It reads the
 * declarations that users install.
 */
export async function* measure(): AsyncIterable<Measured> {
  const events = openCatalogue().events.slice(0, handlers);
  const registered = events.map(
    ({ type, version }) => `on('${type}', '${version}', (event) => take(event.payload, event.id));\n`,
  );
  const plain = await Promise.all(
    events.map(async (event, n) => {
      const { title } = await openCatalogue().schema(event);
      const source = `export function handle${n}(event: { id: string | undefined; payload: ${title} }): void { take(event.payload, event.id); }\n`;
      return { title, source };
    }),
  );
  const take = 'declare function take(payload: object, id: string | undefined): void;\n';
  const names = plain.map(({ title }) => title).join(', ');
  const withOn = `import { on } from 'busbar';\n${take}${registered.join('')}`;
  const withFunctions = `import type { ${names} } from 'busbar/catalogue';\n${take}${plain.map(({ source }) => source).join('')}`;

  const ratios: number[] = [];
  for (let round = -1; round < rounds; round++) {
    const floor = timeOf(() => check(withFunctions));
    const ratio = timeOf(() => check(withOn)) / floor;
    if (round >= 0) ratios.push(ratio);
  }
  yield { case: '100 handlers', ratio: median(ratios), target: 2.5 };
}

const parsed = new Map<string, ts.SourceFile | undefined>();

/** Type-checks a source. @throws Error if the source does not compile */
function check(source: string): void {
  const file = join(root, 'bench/written-by-a-user.ts');
  const host = ts.createCompilerHost(settings);
  const readSource = host.getSourceFile.bind(host);
  host.fileExists = (name) => name === file || ts.sys.fileExists(name);
  host.readFile = (name) => (name === file ? source : readFileSync(name, 'utf8'));
  // Files are parsed once for both: the benchmark compares the checks.
  host.getSourceFile = (name, options) => {
    if (name === file) return ts.createSourceFile(name, source, options, true);
    if (!parsed.has(name)) parsed.set(name, readSource(name, options));
    return parsed.get(name);
  };
  const program = ts.createProgram([file], settings, host);
  const [problem] = program.getSemanticDiagnostics(program.getSourceFile(file));
  if (problem !== undefined) throw new Error(ts.flattenDiagnosticMessageText(problem.messageText, '\n'));
}

const settings: ts.CompilerOptions = {
  target: ts.ScriptTarget.ES2022,
  module: ts.ModuleKind.NodeNext,
  moduleResolution: ts.ModuleResolutionKind.NodeNext,
  lib: ['lib.es2023.d.ts'],
  types: ['node'],
  strict: true,
  skipLibCheck: true,
  noEmit: true,
};
