import type { OutgoingEvent } from './outgoing-event.js';

/** The topic of events, except in sinks with another. */
export const eventTopic = 'platform.events';

/** A destination for the events of a run. */
export interface Sink {
  /** The name in `--to`. */
  readonly name: string;
  /** The maximum number of events per `write`; a run uses the smallest of its sinks. Default 256. */
  readonly batchSize?: number;
  /** Returns the topic of an event, which may decide its envelope. Default `platform.events`. */
  topicOf?(event: OutgoingEvent): string;
  /**
   * Sends events in order. The run waits for the promise, so a slow sink slows the run.
   * @throws BusbarError if sending fails and a retry is useless.
   */
  write(emissions: readonly OutgoingEvent[]): void | Promise<void>;
  /** Starts another run: later events belong to it. */
  begin?(): void;
  /** Ends a successful run, without further events. Resolves when all events are sent. */
  end(): void | Promise<void>;
  /** Releases all resources, also during a run. Later calls wait for the first. */
  close(): Promise<void>;
}
