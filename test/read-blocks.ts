import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './read-sources.js';

/** A block of code in the documentation. */
export interface Block {
  /** File and line, for example `README.md:9`. */
  readonly where: string;
  readonly language: string;
  /** Words after the language, for example `run`, or the name of the file to save. */
  readonly tags: string;
  readonly code: string;
  /** Whether the block is tagged `run`, so that its output must be the next block, tagged `text`. */
  readonly isRun: boolean;
  /** The next block, if it is tagged `text`. */
  readonly output: string | undefined;
}

/** Pages of the repository by paths from the root; not generated ones. */
export const pages = [
  'README.md',
  'emulator/README.md',
  'CONTRIBUTING.md',
  'CHANGELOG.md',
  ...pagesIn('docs'),
];

/** Returns the blocks of all pages in a language. */
export function blocksIn(language: string): readonly Block[] {
  return pages.flatMap(blocksOf).filter((block) => block.language === language);
}

/** Returns the blocks of a page in their order. */
export function blocksOf(page: string): Block[] {
  const text = readFileSync(join(root, page), 'utf8');
  const fences = [...text.matchAll(/^```(\w*)(.*)\n([^]*?)^```/gm)];
  return fences.map(([, language = '', tags = '', code = ''], at) => ({
    where: `${page}:${text.slice(0, fences[at]?.index).split('\n').length}`,
    language,
    tags: tags.trim(),
    code,
    isRun: tags.trim() === 'run',
    output: fences[at + 1]?.[1] === 'text' ? fences[at + 1]?.[3] : undefined,
  }));
}

/** Returns whether a program printed what a page shows. `…` means any text. */
export function isOutput(printed: string, shown: string): boolean {
  const parts = shown.trimEnd().split('…');
  const pattern = parts.map((part) => part.replaceAll(/[\\^$.*+?()[\]{}|]/g, '\\$&')).join('[^]*');
  return new RegExp(`^${pattern}$`).test(printed.trimEnd());
}

function pagesIn(folder: string): string[] {
  return readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .map((path) => `${folder}/${path.replaceAll('\\', '/')}`)
    .filter((path) => path.endsWith('.md') && !/\/(node_modules|\.vitepress)\/|\[/.test(path));
}
