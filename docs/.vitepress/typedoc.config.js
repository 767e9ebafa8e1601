// The pages of the API: one for each public entry point of both packages, under the name by which it is imported.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Converter, ReflectionKind } from 'typedoc';

const root = join(import.meta.dirname, '../..');
const { compilerOptions } = JSON.parse(readFileSync(join(root, 'tsconfig.json'), 'utf8'));
const entries = Object.entries(compilerOptions.paths)
  .filter(([name, [file]]) => file.endsWith('.ts') && !/^busbar\/(base$|internal\/)/.test(name))
  // The last first: else "Catalogue" of busbar takes the file name of busbar/catalogue.
  .reverse();
/** Names of packages by the names that TypeDoc gives their entry points. */
const names = new Map(entries.map(([name, [file]]) => [file.replace(/^\.\/|(\/index)?\.ts$/g, ''), name]));

function nameEntryPoints(app) {
  app.converter.on(Converter.EVENT_CREATE_DECLARATION, (_context, reflection) => {
    if (reflection.kindOf(ReflectionKind.Module))
      reflection.name = names.get(reflection.name) ?? reflection.name;
  });
}

/** @type {import('typedoc').TypeDocOptions & import('typedoc-plugin-markdown').PluginOptions} */
export default {
  entryPoints: entries.map(([, [file]]) => join(root, file)),
  // Without the examples, which add events of their own to the catalogue.
  tsconfig: join(import.meta.dirname, 'typedoc.tsconfig.json'),
  sortEntryPoints: false,
  plugin: ['typedoc-plugin-markdown', nameEntryPoints],
  out: join(import.meta.dirname, 'generated/api'),
  router: 'module',
  entryFileName: 'index',
  // The pages of the events show their payloads.
  exclude: ['**/generated/**'],
  excludeExternals: true,
  excludeInternal: true,
  excludePrivate: true,
  // `npm run types` checks the sources.
  skipErrorChecking: true,
  treatWarningsAsErrors: true,
  // Made by `kafkajsClient()`; its members are no API.
  intentionallyNotExported: ['KafkaClient'],
  readme: 'none',
  disableSources: true,
  hidePageHeader: true,
  hideBreadcrumbs: true,
  groupOrder: ['Functions', 'Classes', 'Interfaces', 'Type Aliases', 'Variables', '*'],
  parametersFormat: 'table',
  interfacePropertiesFormat: 'table',
  // VitePress names headings otherwise where two of a page have one name.
  useHTMLAnchors: true,
  sanitizeComments: true,
  logLevel: 'Warn',
};
