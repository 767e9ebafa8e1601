import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import sections from '../sections.json' with { type: 'json' };

const docs = join(import.meta.dirname, '../..');

/** Paths that are no pages of the site, from `docs/`. */
export const outside = ['api.md', 'decisions/**'];

/** A link as VitePress shows it. */
interface Link {
  readonly text: string;
  readonly link: string;
}

/** The sections that have pages, with links to them in the order of `sections.json`. Others follow by name. */
const filled = sections
  .map(({ title, folder, order }) => {
    const names = namesIn(folder).sort((one, other) => rank(order, one) - rank(order, other));
    return { text: title, folder, items: names.map((name) => linkTo(folder, name)) };
  })
  .filter(({ items }) => items.length > 0);

/** The links in the head of every page: the first page of each section. */
export const nav: readonly Link[] = filled.map(({ text, items }) => ({ text, link: items[0]?.link ?? '/' }));

/** The links beside a page: those of its section. */
export const sidebar = Object.fromEntries(
  filled.map(({ text, folder, items }) => [folder === '' ? '/' : `/${folder}/`, [{ text, items }]]),
);

/** Returns the pages of a folder: files, and folders with an index. */
function namesIn(folder: string): string[] {
  if (!existsSync(join(docs, folder))) return [];
  return readdirSync(join(docs, folder), { withFileTypes: true })
    .filter((entry) =>
      entry.isDirectory()
        ? folder !== '' && existsSync(join(docs, folder, entry.name, 'index.md'))
        : entry.name.endsWith('.md') && entry.name !== 'index.md' && !outside.includes(entry.name),
    )
    .map(({ name }) => name.replace(/\.md$/, ''))
    .sort();
}

function rank(order: readonly string[], name: string): number {
  const index = order.indexOf(name);
  return index < 0 ? order.length : index;
}

function linkTo(folder: string, name: string): Link {
  const path = join(folder, name);
  const isFolder = !existsSync(join(docs, `${path}.md`));
  const text = readFileSync(join(docs, isFolder ? `${path}/index.md` : `${path}.md`), 'utf8');
  return { text: titleOf(text) ?? name, link: isFolder ? `/${path}/` : `/${path}` };
}

/** Returns the title of a page: `title` of its front matter, or its first heading. */
function titleOf(page: string): string | undefined {
  const [title] = /(?<=^---\n(?:.+\n)*title: ).+|(?<=^# ).+/m.exec(page) ?? [];
  return title?.replaceAll(/`|^(['"])(.*)\1$/g, '$2');
}
