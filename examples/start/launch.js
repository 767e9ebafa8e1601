// `npm start`: builds the packages if a source has changed, then runs examples/start.ts.
import { exec } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { buildIfChanged } from '../../.packaging/sources.js';

process.chdir(join(import.meta.dirname, '../..'));
const { version } = JSON.parse(readFileSync('package.json', 'utf8'));
console.log(`Busbar ${version}`);
const canClear = process.stderr.isTTY && process.env.TERM !== 'dumb';

// A build of any kind empties this folder, so the hash in it is the hash of what was built.
await buildIfChanged('dist/chunks/sources.sha256', build);
// Events are shown with the line of their handler in TypeScript.
process.setSourceMapsEnabled(true);
await import('../../dist/examples/start.js');

/** Builds the packages. Shows the seconds that have passed. A failure prints the output of the build, and ends with 1. */
async function build() {
  const begun = performance.now();
  const showProgress = () => {
    const seconds = Math.round((performance.now() - begun) / 1000);
    process.stderr.write(canClear ? `\rBuilding (${seconds} s)` : `Building (${seconds} s)\n`);
  };
  showProgress();
  const timer = setInterval(showProgress, canClear ? 1_000 : 10_000);
  const failure = await new Promise((resolve) => {
    exec('npm run --silent build:js', (error, stdout, stderr) => resolve(error && stdout + stderr));
  });
  clearInterval(timer);
  if (canClear) process.stderr.write('\r\x1b[K');
  if (failure === null) return;
  process.stderr.write(`${failure}\nThe build failed. Fix the first error above, or run npm ci.\n`);
  process.exit(1);
}
