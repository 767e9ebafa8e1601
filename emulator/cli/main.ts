#!/usr/bin/env node
import { createRequire } from 'node:module';
import { runCommandLine } from 'busbar/internal/command-line';

const { version } = createRequire(import.meta.url)('busbar-emulator/package.json') as { version: string };

await runCommandLine(
  {
    program: 'emulate',
    version,
    commands: {
      '': ['Run scenarios', () => import('./emulate.js')],
      scenarios: ['List scenarios, or draw one', () => import('./scenarios.js')],
      trigger: ['Send one event', () => import('./trigger.js')],
      replay: ['Send a recorded run again', () => import('./replay.js')],
      check: ['Validate a recording or event stream', () => import('./check.js')],
      verify: ['Test a consumer against faults and reordering', () => import('./verify.js')],
    },
  },
  process.argv.slice(2),
);
