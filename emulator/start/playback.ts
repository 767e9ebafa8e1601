import { systemClock } from '../../src/base/clock.js';
import { BusbarError } from '../../src/base/errors.js';
import type { Run, RunSummary } from '../run/run.js';
import { type ConsumedOptions, consumed } from '../sinks/consumed.js';
import type { SendOptions } from './send-options.js';
import type { Serving } from './serve.js';

/** A run that is sent, and the servers that it is sent to. */
export interface Playback {
  /** What a Kafka client connects to: `127.0.0.1:9092`; undefined where there is no broker. */
  readonly bootstrapServers: string | undefined;
  /** The port of it. */
  readonly kafkaPort: number | undefined;
  /** Address of the HTTP server: `http://127.0.0.1:4100`; undefined where there is none. */
  readonly url: string | undefined;
  /** Where the page is. Where the server listens for other machines, it bears the access token; so does `streamUrl`. */
  readonly pageUrl: string | undefined;
  /** Address of the stream: `ws://127.0.0.1:4100/events`; undefined where there is none. */
  readonly streamUrl: string | undefined;
  /** Address of the REST API: `http://127.0.0.1:4100/v1/`; undefined where there is no HTTP server. */
  readonly apiUrl: string | undefined;
  /** The API keys that the REST API takes. */
  readonly apiKeys: readonly string[];
  /** Resolves when the last event has left every sink; the servers go on until `stop`. Rejects when the run fails. */
  readonly finished: Promise<RunSummary>;
  /** The run: pause, resume and step it, see how far it is, or stop it while the servers go on. */
  readonly run: Run;
  /**
   * Waits for a service of yours on the broker: resolves when nothing is left to be sent and the consumer group has
   * committed up to the end of every partition.
   * @throws BusbarError `not-consumed`, which says what is missing and what the members do
   */
  consumed(options: ConsumedOptions): Promise<void>;
  /** Ends the run and frees everything. Later calls wait for the first. */
  stop(): Promise<void>;
}

/** What is played back. */
export interface Played {
  readonly run: () => Run;
  readonly finished: Promise<RunSummary>;
  readonly end: () => Promise<unknown>;
}

/** Where a run is served, and how it is waited for and stopped together with its servers. */
export function playback(
  { servers, apiKeys }: Serving,
  { sinks = [], clock = systemClock }: SendOptions,
  { run, finished, end }: Played,
): Omit<Playback, 'run'> {
  const { broker } = servers;
  const stopping = new AbortController();
  let stopped: Promise<void> | undefined;
  const stop = async () => {
    stopping.abort();
    await end();
    for (const sink of sinks) await sink.close();
    await servers.stop();
  };
  return {
    bootstrapServers: broker?.bootstrapServers,
    kafkaPort: broker?.broker.port,
    url: servers.url,
    pageUrl: servers.pageUrl,
    streamUrl: servers.streamUrl,
    apiUrl: servers.url && `${servers.url}/v1/`,
    apiKeys,
    finished,
    async consumed(wanted) {
      if (broker !== undefined) {
        await consumed(wanted, { broker: broker.broker, run: run(), clock, stopping: stopping.signal });
        return;
      }
      throw new BusbarError('invalid-option', 'consumed() is about the broker: add "kafkaPort".');
    },
    stop: () => (stopped ??= stop()),
  };
}
