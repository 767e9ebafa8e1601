// `npm test`: builds the packages if a source has changed.
import { execSync } from 'node:child_process';
import { buildIfChanged } from './sources.js';

// A build of any kind empties this folder. `npm start` has a stamp of its own there: it builds no declarations.
await buildIfChanged('dist/chunks/all.sha256', () =>
  execSync('npm run --silent build', { stdio: 'inherit' }),
);
