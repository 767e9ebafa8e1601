import { envelopeHeaders } from '../envelope/busbar.js';
import { nonEmptyText, type OptionTable, readOptions } from '../base/options.js';
import type { AttemptEnd, RunObserver, Settlement } from '../running/observer.js';

/** Options of {@link reportOutcomes}. */
export interface ReportOptions {
  /** Name of the consumer in the dashboard: for Kafka, its consumer group. */
  readonly consumer: string;
  /** Address of the emulator. Default `http://127.0.0.1:4100`. */
  readonly url?: string;
}

const reportOptions = {
  consumer: { type: nonEmptyText, isRequired: true },
  url: { type: nonEmptyText, default: 'http://127.0.0.1:4100' },
} satisfies OptionTable<ReportOptions>;

/** An attempt, or the final result of a record, by the id of its event. */
export type ReportedOutcome = { readonly event: string; readonly at: number } & (
  | ({ readonly attempt: number; readonly handler: string } & AttemptEnd)
  | { readonly settled: Settlement['outcome']; readonly reason: string; readonly error: string | undefined }
);

/** Most outcomes of one report; more are dropped. */
const maxOutcomes = 2_000;
/** Milliseconds between two reports. */
const interval = 200;

/**
 * Reports attempts and results to the dashboard of an emulator, without payload values. Drops what the emulator does not
 * take, so that the consumer never waits for it.
 * @throws BusbarError `invalid-option`
 * @example
 * const running = await run(transport, { observer: reportOutcomes({ consumer: 'billing' }) });
 */
export function reportOutcomes(options: ReportOptions): RunObserver {
  const { consumer, url } = readOptions('reportOutcomes()', reportOptions, options);
  let waiting: ReportedOutcome[] = [];
  const send = () => {
    const body = JSON.stringify({ consumer, outcomes: waiting });
    waiting = [];
    const headers = { 'content-type': 'application/json' };
    fetch(`${url}/dashboard/outcomes`, { method: 'POST', headers, body }).catch(() => undefined);
  };
  const add = (outcome: ReportedOutcome) => {
    if (waiting.length === 0) setTimeout(send, interval).unref();
    if (waiting.length < maxOutcomes) waiting.push(outcome);
  };
  return {
    attempted({ id }, { attempt, handler }, end) {
      if (id !== undefined) add({ event: id, at: Date.now(), attempt, handler, ...end });
    },
    settled({ headers }, settlement) {
      const id = headers.get(envelopeHeaders.id);
      if (id === undefined) return;
      const { outcome: settled } = settlement;
      const cause = settlement.outcome === 'dead-lettered' ? settlement.cause : undefined;
      const reason = settlement.outcome === 'skipped' ? settlement.reason : (cause?.code ?? '');
      add({ event: Buffer.from(id).toString(), at: Date.now(), settled, reason, error: cause?.error?.class });
    },
  };
}
