import {
  boolean,
  choice,
  clockObject,
  either,
  listOf,
  loggerObject,
  nested,
  nonEmptyText,
  objectWith,
  type OptionTable,
  portNumber,
  whole,
} from '../../src/base/options.js';
import { type Clock, systemClock } from '../../src/base/clock.js';
import { BusbarError } from '../../src/base/errors.js';
import { type Logger, stderrLogger } from '../../src/base/logger.js';
import { httpSecurityOptions, type HttpSecurityOptions } from '../http/secure.js';
import { platformApiOptions, type PlatformApiOptions } from '../platform-api/settings.js';
import type { Sink } from '../sinks/sink.js';

/** Where a run goes. */
export interface SendOptions extends HttpSecurityOptions {
  /** Where the run goes instead of to the emulator's own servers. */
  readonly sinks?: readonly Sink[];
  /** Port of the broker, on 127.0.0.1; 0 takes a free one, false does without. Default 9092, without where `sinks` are given. */
  readonly kafkaPort?: number | false;
  /** Port of the HTTP server, likewise. Default 4100. */
  readonly httpPort?: number | false;
  /** How the platform's REST API is served, on the HTTP server at `/v1/`. */
  readonly platformApi?: PlatformApiOptions;
  /**
   * Hold the run until a consumer group of that name has its partitions, or a consumer of that name, or that many
   * consumers, have attached to the stream: so that they miss nothing.
   */
  readonly waitForConsumer?: string | number;
  /** Begin paused, to be stepped or resumed. Default false. */
  readonly paused?: boolean;
  readonly clock?: Clock;
  readonly logger?: Logger;
}

const portOrNone = { type: either(portNumber, choice(false)) };

/** {@link SendOptions}, as a table. */
export const sendOptions = {
  ...httpSecurityOptions,
  sinks: { type: listOf(objectWith('a sink', 'write', 'end', 'close')) },
  kafkaPort: portOrNone,
  httpPort: portOrNone,
  platformApi: { type: nested(platformApiOptions) },
  waitForConsumer: { type: either(nonEmptyText, whole({ from: 1 })) },
  paused: { type: boolean, default: false },
  clock: { type: clockObject, default: systemClock },
  logger: { type: loggerObject, default: stderrLogger },
} satisfies OptionTable<SendOptions>;

/** Where a run's servers listen; false does without. */
export interface Ports {
  readonly kafkaPort: number | false;
  readonly httpPort: number | false;
}

/** Both by default, none beside sinks. */
export function portsOf(options: SendOptions): Ports {
  const { sinks, kafkaPort, httpPort } = options;
  const elsewhere = sinks !== undefined;
  return {
    kafkaPort: kafkaPort ?? (elsewhere ? false : 9092),
    httpPort: httpPort ?? (elsewhere ? false : 4100),
  };
}

/** @throws BusbarError `invalid-option` for an option about the HTTP server where there is none. */
export function requireHttp(httpPort: number | false, options: SendOptions): void {
  const about = ['host', 'https', 'tlsCert', 'tlsKey', 'insecure', 'platformApi'] as const;
  const idle = about.find((name) => options[name] !== undefined);
  if (httpPort !== false || idle === undefined) return;
  throw new BusbarError('invalid-option', `Option "${idle}" is about the HTTP server: add "httpPort".`);
}
