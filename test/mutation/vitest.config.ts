import { mergeConfig } from 'vitest/config';
import everything from '../../vitest.config.js';
import { testsVariable } from './subjects.js';

/** The tests that main.ts names. */
const config = mergeConfig(everything, { test: { setupFiles: ['test/mutation/setup.ts'] } });
config.test.include = (process.env[testsVariable] ?? '').split(' ');
// Stryker runs tests in threads, which take no options of V8.
config.test.execArgv = [];
export default config;
