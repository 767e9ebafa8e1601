import { longestTimer } from '../base/clock.js';
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
import { BusbarError } from '../base/errors.js';
import { quoted } from '../base/quoted.js';
import type { Transport } from './transport.js';
import { maxConsumerNameLength } from './websocket-protocol.js';
import { openWebSocketRun } from './websocket-run.js';

export interface WebSocketOptions {
  /** The stream of an emulator: `ws://127.0.0.1:4100/events`. */
  readonly url: string;
  /**
   * Who consumes. The emulator keeps one position per name; a name is connected once at a time. Default `default`:
   * give each service a name of its own when more than one is attached.
   */
  readonly consumer?: string;
  /** How long the first connection may take, in milliseconds. Default 10,000. */
  readonly connectTimeout?: number;
  readonly reconnect?: ReconnectOptions;
  /** The largest message taken from the emulator, in bytes. Default 64 MiB. */
  readonly maxFrameBytes?: number;
  /** A number from 0 (inclusive) to 1: spreads the reconnects of many consumers. Default `Math.random`. */
  readonly random?: () => number;
}

/**
 * After a loss the n-th attempt is made at a random moment within `minDelay * 2^n`, but not more than `maxDelay`
 * ("full jitter").
 */
export interface ReconnectOptions {
  /** Milliseconds. Default 100. */
  readonly minDelay?: number;
  /** Milliseconds. Default 5,000. */
  readonly maxDelay?: number;
  /** How long to try, in milliseconds, before the run fails with `connection-failed`. Default: for ever. */
  readonly giveUpAfter?: number;
}

const delay = number({ above: 0, to: longestTimer });

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
 * Consumes the stream of an emulator (`busbar.v1`, `docs/stream.md`). The stream is one partition of the topic
 * `events`; offsets are the numbers of its records.
 *
 * Positions are kept by the emulator, under the consumer's name, for as long as it runs: what was settled is not
 * delivered again, what was not is, after a lost connection or to the next run. When the emulator was started again,
 * its stream is another one, whose numbers begin at 1: the partition is revoked, and a new one begins.
 *
 * @throws BusbarError `invalid-option` for an address that is not one of a WebSocket, or a name that cannot be one.
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
    `websocket(): ${quoted(url)} is not the address of a WebSocket. It looks like ws://127.0.0.1:4100/events.`,
  );
}
