import { sendOptions } from './send-options.js';

/** The options of a run, as yargs takes them; `emulate.ts` gives them their meaning. */
export const runOptions = {
  scenario: {
    type: 'string',
    array: true,
    requiresArg: true,
    describe:
      'What happens: see emulate scenarios; everyday is all of it, in a population; or ./my-scenario.ts',
  },
  instances: {
    type: 'number',
    requiresArg: true,
    defaultDescription: '1',
    describe: 'How many of each scenario, each in a household of its own',
  },
  accounts: {
    type: 'number',
    requiresArg: true,
    describe: 'How large a population the scenario everyday runs (1000)',
  },
  branch: {
    type: 'string',
    array: true,
    requiresArg: true,
    describe: 'An outcome to take instead of drawing it: occupier=unknown',
  },
  seed: { type: 'number', requiresArg: true, defaultDescription: '1', describe: 'Same seed, same bytes' },
  start: {
    type: 'string',
    requiresArg: true,
    defaultDescription: '2026-03-02T09:00:00Z',
    describe: 'Virtual instant at which the run begins',
  },
  'run-id': {
    type: 'string',
    requiresArg: true,
    describe: 'Other event ids, for consumers that remember those of an earlier run',
  },
  until: { type: 'string', requiresArg: true, describe: 'Virtual instant at which the run ends' },
  duration: {
    type: 'string',
    requiresArg: true,
    conflicts: 'until',
    describe: 'How much virtual time the run covers, as 7d, 12h or P7DT12H',
  },
  shard: { type: 'string', requiresArg: true, describe: 'Play one share of the run, as 2/4' },
  versions: {
    type: 'string',
    requiresArg: true,
    choices: ['all', 'latest'],
    defaultDescription: 'all',
    describe: 'Which versions of an occurrence are sent, side by side',
  },
  faults: {
    type: 'string',
    requiresArg: true,
    describe: 'What goes wrong on the way: duplicate=1%,reorder=2%:30s,... or @FILE',
  },
  'fault-log': { type: 'string', requiresArg: true, describe: 'A file for the faults that were done' },
  vary: {
    type: 'string',
    requiresArg: true,
    describe: 'Other legal answers to what is not specified: times,objects,keys,order,enums,empty-ends',
  },
  inputs: {
    type: 'string',
    requiresArg: true,
    describe: 'A recording, or a log of inputs: what came into that run from outside comes in again',
  },
  record: {
    type: 'string',
    requiresArg: true,
    describe: 'Record the run in this file, to be replayed and resumed',
  },
  resume: {
    type: 'string',
    requiresArg: true,
    conflicts: [
      'scenario',
      'instances',
      'branch',
      'seed',
      'start',
      'run-id',
      'until',
      'duration',
      'shard',
      'versions',
      'faults',
      'vary',
      'record',
      'inputs',
    ],
    describe: 'Go on with the interrupted run in this recording, where it ended',
  },
  ...sendOptions,
} as const;
