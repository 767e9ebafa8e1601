import { checkOptions } from './base/options.js';
import {
  consumerOptions,
  type ConsumerOptions,
  type Definitions,
  definitionsOf,
  runRegistry,
} from './consumer.js';
import { createRegistry } from './registry.js';
import { type RunOptions, runOptions } from './running/run-options.js';
import type { RunningConsumer } from './running/run.js';
import type { Transport } from './transports/transport.js';

const registry = createRegistry();

// The catalogue is known only when it is run, so that is when names are held against it.
const definitions = definitionsOf(registry, () => undefined);

/** {@link Definitions.on} of the default consumer; `run` throws for a name that its catalogue does not have. */
export const on: Definitions['on'] = definitions.on;

/** {@link Definitions.onMatching} of the default consumer. */
export const onMatching: Definitions['onMatching'] = definitions.onMatching;

/** {@link Definitions.onAny} of the default consumer. */
export const onAny: Definitions['onAny'] = definitions.onAny;

/** {@link Definitions.use} of the default consumer. */
export const use: Definitions['use'] = definitions.use;

/** {@link Definitions.upcast} of the default consumer; `run` throws for a version that its catalogue does not have. */
export const upcast: Definitions['upcast'] = definitions.upcast;

/**
 * Runs the default consumer: connects and handles what arrives until the source ends or it is stopped. Takes the
 * options of `createConsumer` too.
 * @throws BusbarError `no-handlers`, `unknown-event`, `unknown-version`, `no-dead-letters`, `invalid-option`,
 * `connection-failed`
 * @example
 * on('lifecycle.leave-supplier.completed', 'v3', (event) => close(event.payload.supply_points));
 * const running = await run(websocket({ url: 'ws://127.0.0.1:4100/events' }));
 * await running.finished;
 */
export async function run(
  transport: Transport,
  options: ConsumerOptions & RunOptions = {},
): Promise<RunningConsumer> {
  checkOptions<ConsumerOptions & RunOptions>('run()', { ...consumerOptions, ...runOptions }, options);
  return runRegistry(registry, transport, options);
}
