import { join } from 'node:path';
import ts from 'typescript';
import { compilerOptions, packageNames, root } from './read-sources.js';

/** One export of an entry point. */
export interface ApiItem {
  readonly name: string;
  readonly kind: 'class' | 'constant' | 'function' | 'interface' | 'type';
  /** First sentence of its docstring; empty without one. */
  readonly summary: string;
  /** Its declaration without comments, bodies and private members. */
  readonly declaration: string;
}

/** The public entry points of both packages, with their exports in the order of the alphabet. */
export function publicApi(): ReadonlyMap<string, readonly ApiItem[]> {
  const entries = Object.entries(packageNames).filter(
    ([name, file]) => file.endsWith('.ts') && name !== 'busbar/base' && !name.startsWith('busbar/internal/'),
  );
  const files = entries.map(([, file]) => join(root, file));
  const program = ts.createProgram(files, compilerOptions());
  const checker = program.getTypeChecker();
  return new Map(
    entries.map(([name], index) => {
      const source = program.getSourceFile(files[index] ?? '');
      const module = source && checker.getSymbolAtLocation(source);
      const symbols = module === undefined ? [] : checker.getExportsOfModule(module);
      const items = symbols
        .filter((symbol) => !isGenerated(checker, symbol))
        .map((symbol) => itemOf(checker, symbol));
      return [name, items.sort((one, other) => (one.name < other.name ? -1 : 1))];
    }),
  );
}

/** Whether a type is made from the catalogue's documents, which its own tests compare. */
function isGenerated(checker: ts.TypeChecker, symbol: ts.Symbol): boolean {
  const [declaration] = originalOf(checker, symbol).getDeclarations() ?? [];
  return declaration?.getSourceFile().fileName.includes('/generated/') ?? false;
}

function originalOf(checker: ts.TypeChecker, symbol: ts.Symbol): ts.Symbol {
  return symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol;
}

function itemOf(checker: ts.TypeChecker, exported: ts.Symbol): ApiItem {
  const symbol = originalOf(checker, exported);
  const declarations = symbol.getDeclarations() ?? [];
  const summary = ts.displayPartsToString(symbol.getDocumentationComment(checker));
  return {
    name: exported.name,
    kind: kindOf(symbol),
    summary: (/^[^]*?\.(?=\s|$)/.exec(summary)?.[0] ?? summary).replaceAll(/\s+/g, ' '),
    declaration: declarations
      .filter((declaration) => !isImplementation(declaration, declarations))
      .map((declaration) => printed(checker, symbol, declaration))
      .join('\n'),
  };
}

function kindOf({ flags }: ts.Symbol): ApiItem['kind'] {
  if (flags & ts.SymbolFlags.Class) return 'class';
  if (flags & ts.SymbolFlags.Function) return 'function';
  if (flags & ts.SymbolFlags.Interface) return 'interface';
  return flags & ts.SymbolFlags.TypeAlias ? 'type' : 'constant';
}

/** Whether callers do not see this declaration of a function, because it has overloads. */
function isImplementation(declaration: ts.Declaration, all: readonly ts.Declaration[]): boolean {
  return ts.isFunctionDeclaration(declaration) && declaration.body !== undefined && all.length > 1;
}

const printer = ts.createPrinter({ removeComments: true });

function printed(checker: ts.TypeChecker, symbol: ts.Symbol, declaration: ts.Declaration): string {
  if (ts.isVariableDeclaration(declaration)) {
    const type = checker.getTypeOfSymbol(symbol);
    // The table of the built-in scenarios, for example, would fill pages.
    const text =
      declaration.type?.getText() ?? checker.typeToString(type, declaration, ts.TypeFormatFlags.NoTruncation);
    return `const ${symbol.name}: ${text.length > 400 ? `${text.slice(0, 400)}…` : text};`;
  }
  if (ts.isSourceFile(declaration) || ts.isModuleDeclaration(declaration)) {
    const names = checker.getExportsOfModule(symbol).map(({ name }) => name);
    return `namespace { ${names.sort().join('; ')} }`;
  }
  const { transformed } = ts.transform(declaration, [withoutBodies]);
  const [node] = transformed;
  if (node === undefined) return '';
  return printer
    .printNode(ts.EmitHint.Unspecified, node, declaration.getSourceFile())
    .replace(/^export /, '')
    .replaceAll(/ \{ \}$/gm, ';');
}

/** Removes bodies, initial values and private members: what a declaration file has. */
const withoutBodies: ts.TransformerFactory<ts.Node> = (context) => (root) => {
  const { factory } = context;
  const visit = (node: ts.Node): ts.Node | undefined => {
    if (ts.isClassElement(node)) {
      const isHidden =
        (node.name !== undefined && ts.isPrivateIdentifier(node.name)) ||
        (ts.getCombinedModifierFlags(node) & ts.ModifierFlags.Private) !== 0;
      if (isHidden || ts.isClassStaticBlockDeclaration(node)) return undefined;
    }
    if (ts.isBlock(node)) return factory.createBlock([]);
    if (ts.isPropertyDeclaration(node)) {
      return factory.updatePropertyDeclaration(
        node,
        node.modifiers,
        node.name,
        node.questionToken,
        node.type,
        undefined,
      );
    }
    return ts.visitEachChild(node, visit, context);
  };
  return visit(root) ?? root;
};
