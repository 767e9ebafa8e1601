import { readdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { searchOptions } from '../../docs/.vitepress/site/search.js';

interface Search {
  search(text: string, options: object): readonly { readonly id: string }[];
}

/** Opens the search of the built site, which returns the pages that its search box lists, best first. */
export async function openSearch(site: string): Promise<(text: string) => string[]> {
  const chunks = join(site, 'assets/chunks');
  const [file = ''] = readdirSync(chunks).filter((name) => name.startsWith('@localSearchIndex'));
  const index = (await import(pathToFileURL(join(chunks, file)).href)) as { default: string };
  const { default: MiniSearch } = (await import(
    createRequire(join(site, '../../package.json')).resolve('minisearch')
  )) as { default: { loadJSON(index: string, options: object): Search } };
  // As the search box of VitePress does.
  const fields = { fields: ['title', 'titles', 'text'], storeFields: ['title', 'titles'] };
  const options = { fuzzy: 0.2, prefix: true, ...searchOptions };
  const search = MiniSearch.loadJSON(index.default, fields);
  return (text) => search.search(text, options).map(({ id }) => id);
}
