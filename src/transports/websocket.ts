import { maxTimer } from '../base/clock.js';
import {
  callback,
  nested,
  nonEmptyText,
  number,
  type OptionTable,
  readOptions,
  textOf,
  whole,
  withDefaults,
} from '../base/options.js';
import { BusbarError, quoted } from '../base/errors.js';
import type { Transport } from './transport.js';
import { maxConsumerNameLength } from './websocket-protocol.js';
import { openWebSocketRun } from './websocket-run.js';

/** Options of {@link websocket}. */
export interface WebSocketOptions {
  /** Address of an emulator's stream: `ws://127.0.0.1:4100/events`. */
  readonly url: string;
  /**
   * Name under which the emulator keeps the consumer's position. Only one connection may use a name at a time, so give
   * each service its own. Default `default`.
   */
  readonly consumer?: string;
  /** Maximum duration of the first connection attempt, in milliseconds. Default 10,000. */
  readonly connectTimeout?: number;
  readonly reconnect?: ReconnectOptions;
  /** Maximum size of a message from the emulator, in bytes. Default 64 MiB. */
  readonly maxFrameBytes?: number;
  /** Random numbers from 0 (inclusive) to 1, which spread the reconnects of many consumers. Default `Math.random`. */
  readonly random?: () => number;
}

/**
 * Backoff after a lost connection: attempt n waits a random time up to `minDelay * 2^n`, but not more than `maxDelay`
 * ("full jitter").
 */
export interface ReconnectOptions {
  /** Maximum delay before the first attempt, in milliseconds. Default 100. */
  readonly minDelay?: number;
  /** Maximum delay before any attempt, in milliseconds. Default 5,000. */
  readonly maxDelay?: number;
  /** Time in milliseconds after which the run fails with `connection-failed`. Default: never. */
  readonly giveUpAfter?: number;
}

const delay = number({ above: 0, to: maxTimer });

const reconnectOptions = {
  minDelay: { type: delay, default: 100, unit: 'milliseconds' },
  maxDelay: { type: delay, default: 5_000, unit: 'milliseconds' },
  giveUpAfter: { type: number({ above: 0, orInfinity: true }), default: Infinity, unit: 'milliseconds' },
} satisfies OptionTable<ReconnectOptions>;

const webSocketOptions = {
  url: { type: nonEmptyText, isRequired: true },
  consumer: { type: textOf({ from: 1, to: maxConsumerNameLength }), default: 'default' },
  connectTimeout: { type: delay, default: 10_000, unit: 'milliseconds' },
  reconnect: { type: nested(reconnectOptions), default: {} },
  maxFrameBytes: { type: whole({ from: 1 }), default: 64 * 1024 * 1024, unit: 'bytes' },
  random: { type: callback, default: () => Math.random() },
} satisfies OptionTable<WebSocketOptions>;

/**
 * Consumes the stream of an emulator (`busbar.v1`, `docs/reference/stream.md`). The stream is one partition of the topic
 * `events`; offsets are the numbers of its records.
 *
 * While it runs, the emulator keeps a position under the consumer's name. It redelivers unsettled records after a lost
 * connection or to the next run. After a restart, the emulator has a new stream, whose numbers begin at 1: the transport
 * revokes the partition and continues with a new one.
 *
 * @throws BusbarError `invalid-option`
 *
 * @example
 * const running = await run(websocket({ url: 'ws://127.0.0.1:4100/events', consumer: 'billing' }));
 */
export function websocket(options: WebSocketOptions): Transport {
  const { url, reconnect, ...rest } = readOptions('websocket()', webSocketOptions, options);
  const settings = { ...rest, ...withDefaults(reconnectOptions, reconnect), address: parseAddress(url) };

  return {
    name: 'websocket',
    capabilities: { commit: true, redelivery: true, keys: true, deadLetters: false },
    open: (receiver, context) => openWebSocketRun(settings, receiver, context),
  };
}

function parseAddress(url: string): URL {
  const address = URL.canParse(url) ? new URL(url) : undefined;
  if (address?.protocol === 'ws:' || address?.protocol === 'wss:') return address;
  throw new BusbarError(
    'invalid-option',
    `websocket(): ${quoted(url)} is not the address of a WebSocket. Write it like ws://127.0.0.1:4100/events.`,
  );
}
