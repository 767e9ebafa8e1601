import { listOf, matching, nested, nonEmptyText, type Option } from 'busbar/base';
import { keepOptions } from '../run/options.js';
import { runStartOptions } from './send-options.js';
import { emulatorOptions } from './start-emulator.js';

const { accounts, mix, rates, room, seed, start, ...others } = emulatorOptions;
const { catalogue: _catalogue, clock: _clock, inputs: _inputs, logger: _logger, ...most } = others;
const { envelope: _envelope, maskFaults: _maskFaults, run: _run, ...rest } = most;
const { scenarios: _scenarios, sinks: _sinks, ...rows } = rest;
const { record, faultLog } = keepOptions;
const { waitForConsumer } = runStartOptions;

/** Paths in a configuration file are absolute, or relative to the file. */
const path = matching(/^(\.{0,2}[/\\]|[A-Za-z]:)/, 'a path that begins with ./ or ../');

/** Rows of the keys that this package adds to the configuration file. */
export const configKeys: Readonly<Record<string, Option>> = {
  scenarios: { type: listOf(path) },
  contract: { type: path },
  world: { type: nested({ seed, start, accounts, room, mix, rates }) },
  emulator: {
    type: nested({
      ...rows,
      to: { type: listOf(nonEmptyText) },
      run: { type: nested({ record, faultLog, waitForConsumer }) },
    }),
  },
};
