import { checkOptions } from './base/options.js';
import {
  type Consumer,
  consumerOptions,
  type ConsumerOptions,
  type Definitions,
  definitionsOf,
  prepareDispatch,
  runRegistry,
} from './consumer.js';
import { Registry } from './registry.js';
import { RecordDispatch } from './running/record-dispatch.js';
import { type RunOptions, runOptions } from './running/run-options.js';
import type { RunningConsumer } from './running/running-consumer.js';
import type { Transport } from './transports/transport.js';

const registry = new Registry();
const single = new RecordDispatch(() => prepareDispatch(registry, {}));

// The catalogue is an option of `run`, so `run` checks the names.
const definitions = definitionsOf(registry, () => single.reset());

/** {@link Definitions.on} of the default consumer. `run` throws when its catalogue does not have the event. */
export const on: Definitions['on'] = definitions.on;

/** {@link Definitions.onMatching} of the default consumer. */
export const onMatching: Definitions['onMatching'] = definitions.onMatching;

/** {@link Definitions.onAny} of the default consumer. */
export const onAny: Definitions['onAny'] = definitions.onAny;

/** {@link Definitions.use} of the default consumer. */
export const use: Definitions['use'] = definitions.use;

/** {@link Definitions.upcast} of the default consumer. `run` throws when its catalogue does not have a version. */
export const upcast: Definitions['upcast'] = definitions.upcast;

/**
 * {@link Consumer.dispatch} of the default consumer, with the built-in catalogue and the default envelope. For other
 * options, use `createConsumer`.
 */
export const dispatch: Consumer['dispatch'] = (record, options) => single.dispatch(record, options);

/**
 * Runs the default consumer: connects and handles records until the source ends or the consumer is stopped. Accepts
 * the options of `createConsumer` too.
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
