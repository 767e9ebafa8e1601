import { readFileSync } from 'node:fs';
import { defineConfig } from 'vitepress';
import { makeEmptyHeadersCells } from './site/empty-headers.js';
import { removeOutsideLinks } from './site/outside-links.js';
import { nav, outside, sidebar } from './site/pages.js';
import { type Section, searchedInEvent, searchOptions } from './site/search.js';
import { withSecurityPolicy } from './site/security-policy.js';

// Without an icon, a browser asks for one that does not exist.
const icon = readFileSync(new URL('../../emulator/dashboard/client/icon.svg', import.meta.url));

export default defineConfig({
  title: 'Busbar',
  description: 'A typed Kafka and WebSocket consumer framework with a local emulator of the energy platform',
  lang: 'en-GB',
  head: [['link', { rel: 'icon', href: `data:image/svg+xml;base64,${icon.toString('base64')}` }]],
  srcExclude: outside,
  cacheDir: '.vitepress/generated/cache',
  ignoreDeadLinks: 'localhostLinks',
  // One file instead of a script in each page.
  metaChunk: true,
  transformHtml: withSecurityPolicy,
  markdown: {
    // The default colours are too pale on the background of code.
    theme: { light: 'github-light-high-contrast', dark: 'github-dark-high-contrast' },
    config(md) {
      removeOutsideLinks(md);
      makeEmptyHeadersCells(md);
    },
  },
  themeConfig: {
    nav: [...nav],
    sidebar,
    outline: [2, 3],
    // By default, its name for screen readers differs from its text.
    notFound: { linkLabel: 'Take me home' },
    search: {
      provider: 'local',
      // VitePress splits a page by its headings where the function returns nothing.
      options: {
        miniSearch: {
          searchOptions,
          _splitIntoSections: searchedInEvent as (page: string) => Section[],
        },
      },
    },
  },
  vite: { build: { chunkSizeWarningLimit: 2_000 } },
});
