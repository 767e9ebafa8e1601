import { defineConfig } from 'vite';

/** Other views load on demand. */
function isOfFirstView(path: string): boolean {
  return !/client\/(journeys|world|compose|consumers|faults|run\/(run|run-card|scenario-card)\.)/.test(path);
}

/** `npm run build` writes the page to where the built emulator looks for it. Paths are relative to this folder. */
export default defineConfig({
  root: import.meta.dirname,
  base: '/dashboard/',
  publicDir: false,
  logLevel: 'warn',
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
  build: {
    outDir: '../../dist/dashboard/client',
    emptyOutDir: true,
    target: 'es2022',
    // Everything comes from this server, and nothing inline: the page's Content-Security-Policy allows no other.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    license: { fileName: 'THIRD-PARTY-LICENSES.md' },
    reportCompressedSize: false,
    // One file for the first view: a busy emulator responds to each request in another turn of its event loop.
    rolldownOptions: { output: { codeSplitting: { groups: [{ name: 'main', test: isOfFirstView }] } } },
  },
});
