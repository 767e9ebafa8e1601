import { envelopeHeaders } from '../envelope/busbar.js';
import { nonEmptyText, type OptionTable, readOptions, type ValueType } from '../base/options.js';
import type { AttemptEnd, RunObserver, Settlement } from '../running/observer.js';
import type { ConsumerRecord } from '../transports/transport.js';

/** Options of {@link reportOutcomes}. */
export interface ReportOptions {
  /** Name of the consumer in the dashboard: for Kafka, its consumer group. */
  readonly consumer: string;
  /** Address of the emulator, with `?token=...` if it has one. Default `http://127.0.0.1:4100`. */
  readonly url?: string;
}

const httpAddress: ValueType = {
  expected: 'an address such as http://127.0.0.1:4100',
  accepts: (value) => typeof value === 'string' && /^https?:/i.test(value) && URL.canParse(value),
};

const reportOptions = {
  consumer: { type: nonEmptyText, isRequired: true },
  url: { type: httpAddress, default: 'http://127.0.0.1:4100' },
} satisfies OptionTable<ReportOptions>;

/** An attempt, or the final result of a record, by the id of its event. */
export type ReportedOutcome = { readonly event: string; readonly at: number } & (
  | ({ readonly attempt: number; readonly handler: string } & AttemptEnd)
  | { readonly settled: Settlement['outcome']; readonly reason: string; readonly error: string | undefined }
);

/** Most outcomes of one report; more are dropped. */
const maxOutcomes = 2_000;
/** Milliseconds before a report, and between the end of one and the next. */
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
  const address = new URL(url);
  address.pathname = '/dashboard/outcomes';
  let waiting: ReportedOutcome[] = [];
  let isSending = false;
  const schedule = () => void setTimeout(() => void send(), interval).unref();
  // One at a time: to an emulator that does not respond, each report would occupy a connection.
  const send = async () => {
    const body = JSON.stringify({ consumer, outcomes: waiting });
    waiting = [];
    isSending = true;
    const headers = { 'content-type': 'application/json' };
    try {
      const response = await fetch(address, { method: 'POST', headers, body });
      await response.body?.cancel();
    } catch {
      // The emulator may not run.
    }
    isSending = false;
    if (waiting.length > 0) schedule();
  };
  const add = (outcome: ReportedOutcome) => {
    if (waiting.length === 0 && !isSending) schedule();
    if (waiting.length < maxOutcomes) waiting.push(outcome);
  };
  /** The ids of attempted events, which a codec of yours may have read anywhere. */
  const ids = new WeakMap<ConsumerRecord, string>();
  return {
    attempted({ id, record }, { attempt, handler }, end) {
      if (id === undefined) return;
      ids.set(record, id);
      add({ event: id, at: Date.now(), attempt, handler, ...end });
    },
    settled(record, settlement) {
      const id = ids.get(record) ?? idOf(record);
      if (id === undefined) return;
      const { outcome: settled } = settlement;
      const cause = settlement.outcome === 'dead-lettered' ? settlement.cause : undefined;
      const reason = settlement.outcome === 'skipped' ? settlement.reason : (cause?.code ?? '');
      add({ event: id, at: Date.now(), settled, reason, error: cause?.error?.class });
    },
  };
}

/** Members by which the values of the built-in wire formats are known. Any other `id` may be part of a payload. */
const envelopeMembers = ['event_type', 'specversion', 'detail-type'];

/** Returns the id of an event that reached no handler. */
function idOf({ headers, value }: ConsumerRecord): string | undefined {
  const header = headers.get(envelopeHeaders.id) ?? headers.get('ce_id');
  if (header !== undefined) return Buffer.from(header).toString();
  try {
    const body = JSON.parse(Buffer.from(value ?? '').toString()) as Readonly<Record<string, unknown>>;
    const { id } = body;
    return typeof id === 'string' && envelopeMembers.some((name) => name in body) ? id : undefined;
  } catch {
    return undefined;
  }
}
