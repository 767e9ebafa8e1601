import fc from 'fast-check';

// `npm test` draws the same cases in each run, so that it says something about the change. `npm run test:fuzz` draws others.
fc.configureGlobal({ seed: 1 });
