import type { Emission } from '../run/emission.js';

/** Where a run sends its emissions. */
export interface Sink {
  /** As `--to` names it. */
  readonly name: string;
  /** How many emissions it is best given at a time, at most; the smallest of a run's sinks counts. Default 256. */
  readonly batchSize?: number;
  /**
   * Sends the emissions, in order. The run waits for the promise before it makes more: a slow sink slows the run.
   * @throws BusbarError when it cannot send and trying again is of no use.
   */
  write(emissions: readonly Emission[]): void | Promise<void>;
  /** Another run has taken the place of the one before: what is written from now on belongs to it. */
  begin?(): void;
  /** The run has ended well: no emission will follow. Resolves when everything has left. */
  end(): void | Promise<void>;
  /** Releases what it holds, whether the run ended or not. Later calls wait for the first. */
  close(): Promise<void>;
}
