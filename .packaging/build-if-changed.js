// `npm test` and the long suites: builds the packages if a source has changed.
import { spawnSync } from 'node:child_process';
import { buildIfChanged } from './sources.js';

// A build of any kind empties this folder. `npm start` has a stamp of its own there: it builds no declarations.
await buildIfChanged('dist/chunks/all.sha256', () => {
  const { status } = spawnSync('npm run --silent build', { shell: true, stdio: 'inherit' });
  if (status === 0) return;
  console.error('The build failed. Fix the first error above, or run npm ci.');
  process.exit(1);
});
