import {
  boolean,
  BusbarError,
  choice,
  type Clock,
  clockObject,
  either,
  envelopeObject,
  listOf,
  type Logger,
  loggerObject,
  nested,
  nonEmptyText,
  objectWith,
  type OptionTable,
  portNumber,
  stderrLogger,
  systemClock,
  whole,
  withDefaults,
} from 'busbar/base';
import { brokerOptions } from '../broker/options.js';
import type { EnvelopeCodec } from 'busbar';
import { httpOptions, type HttpOptions } from '../http/secure.js';
import { platformApiOptions, type PlatformApiOptions } from '../platform-api/settings.js';
import type { Sink } from '../run/sink.js';

/** Options of the embedded broker. */
export interface KafkaOptions {
  /** Port of the broker; 0 selects a free port. Default 9092. */
  readonly port?: number;
  /** Address to listen on. Any address but the local machine's opens the broker to others. Default 127.0.0.1. */
  readonly host?: string;
  /** Address that clients are given for the broker. Default: the one that they connected to. */
  readonly advertised?: { readonly host: string; readonly port: number };
}

/** Options that delay the start of a run. */
export interface RunStartOptions {
  /** Whether the run starts paused, until `run.resume()` or `run.step()`. Default false. */
  readonly paused?: boolean;
  /**
   * Consumer that must be connected before the run starts, so that it misses no event: a consumer group with assigned
   * partitions, a stream consumer by name, or a number of stream consumers. Default: the run starts at once.
   */
  readonly waitForConsumer?: string | number;
}

/** Sinks and servers that a run is sent to. */
export interface SendOptions {
  /** Sinks instead of the emulator's own servers. */
  readonly sinks?: readonly Sink[];
  /**
   * Wire format of every sink and server, with the method `encode`. Recordings and the dashboard keep the default.
   * Default: that of the nearest configuration file, else `busbarEnvelope()`.
   */
  readonly envelope?: EnvelopeCodec;
  /** Embedded broker, or false for none. Default: none if there are `sinks`. */
  readonly kafka?: KafkaOptions | false;
  /** HTTP server of the stream, REST API, control API and dashboard, or false for none. Default: none if there are `sinks`. */
  readonly http?: HttpOptions | false;
  /** Behaviour of the platform's REST API, which the HTTP server serves at `/v1/`. */
  readonly platformApi?: PlatformApiOptions;
  /** Start of the run. */
  readonly run?: RunStartOptions;
  /** Default: the system clock. */
  readonly clock?: Clock;
  /** Default: warnings and errors to standard error. */
  readonly logger?: Logger;
}

export const kafkaOptions = {
  port: { type: portNumber, default: 9092 },
  host: { type: nonEmptyText, default: '127.0.0.1' },
  advertised: brokerOptions.advertised,
} satisfies OptionTable<KafkaOptions>;

export const runStartOptions = {
  paused: { type: boolean, default: false },
  waitForConsumer: { type: either(nonEmptyText, whole({ from: 1 })) },
} satisfies OptionTable<RunStartOptions>;

export const sendOptions = {
  sinks: { type: listOf(objectWith('a sink', 'write', 'end', 'close')) },
  envelope: { type: envelopeObject },
  kafka: { type: either(nested(kafkaOptions), choice(false)) },
  http: { type: either(nested(httpOptions), choice(false)) },
  platformApi: { type: nested(platformApiOptions) },
  run: { type: nested(runStartOptions) },
  clock: { type: clockObject, default: systemClock },
  logger: { type: loggerObject, default: stderrLogger },
} satisfies OptionTable<SendOptions>;

/** Returns the options of the servers to start, false for the others. Default: both, or none if there are sinks. */
export function serversAsked({ sinks, platformApi, ...options }: SendOptions) {
  const { kafka = sinks === undefined && {}, http = sinks === undefined && {} } = options;
  if (http === false && platformApi !== undefined) {
    const message = 'Option "platformApi" needs the HTTP server. Set "http".';
    throw new BusbarError('invalid-option', message, { options: ['platformApi', 'http'] });
  }
  return {
    kafka: kafka && withDefaults(kafkaOptions, kafka),
    http: http && withDefaults(httpOptions, http),
  };
}
