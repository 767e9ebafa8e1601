import { createRequire } from 'node:module';
import { nearest } from 'busbar/base';
import type { Program } from 'busbar/internal/command-line';
import { worldVersion } from '../world/version.js';

const { version } = createRequire(import.meta.url)('busbar-emulator/package.json') as { version: string };

/** The program `emulate`, without running it. */
export const program: Program = {
  program: 'emulate',
  version,
  fixed: { worldVersion },
  configKeys: async () => (await import('../start/config-keys.js')).configKeys,
  async guess(word) {
    const { scenarioNames } = await import('./run-flags.js');
    return nearest(word, await scenarioNames(), 1).map((name) => `--scenario ${name}`);
  },
  commands: {
    '': ['Run scenarios', () => import('./emulate.js')],
    scenarios: ['List scenarios, or draw one', () => import('./scenarios.js')],
    trigger: ['Send one event', () => import('./trigger.js')],
    replay: ['Send a recorded run again', () => import('./replay.js')],
    calibrate: ['Measure a population against its targets', () => import('./calibrate.js')],
    check: ['Validate a recording or event stream', () => import('./check.js')],
    verify: ['Test a consumer against faults and reordering', () => import('./verify.js')],
  },
};
