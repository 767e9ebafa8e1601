import type { SkipVerdict } from '../verdict.js';
import type { Health } from './health.js';

/** A consumer that is connected to a transport and handles its records. */
export interface RunningConsumer {
  /**
   * Resolves when the source has ended and every record is settled, or after `stop`; rejects with the error that ended
   * the run. You may ignore it: a failure is also logged.
   */
  readonly finished: Promise<void>;
  readonly counts: RunCounts;
  /** Returns the health report. Cheap enough for a probe, not for every event. */
  health(): Health;
  /**
   * Resolves when no handler runs and none can be started: every record that the transport had is settled, or waits on
   * the run's clock for a retry. A test bench then advances the clock.
   */
  idle(): Promise<void>;
  /**
   * Takes no more records, drops pending retries, waits for running handlers up to `drainTimeout`, aborts the rest,
   * commits and disconnects. Later calls wait for the first. A handler that awaits it waits for itself.
   */
  stop(): Promise<void>;
}

/** Counts of a run. They grow while it runs. */
export interface RunCounts {
  /** Records whose handler succeeded. */
  handled: number;
  /** Records that no handler received, by reason. */
  readonly skipped: Record<SkipVerdict['reason'], number>;
  /** Records that were dead-lettered. */
  deadLettered: number;
  /** Attempts after the first one of a record. */
  retried: number;
}

export function noCounts(): RunCounts {
  return {
    handled: 0,
    skipped: { unhandled: 0, unknown: 0, superseded: 0, 'other-group': 0, invalid: 0, undecodable: 0 },
    deadLettered: 0,
    retried: 0,
  };
}
