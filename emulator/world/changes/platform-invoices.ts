import type { Occurrence } from '../../engine/scenario.js';
import { dateOf, type Day } from '../../engine/time.js';
import type { Cell } from '../cell.js';
import { occurrence } from '../occurrence.js';
import { buckets } from '../vocabulary/platform.js';

/**
 * What a distributor asks for the use of its network. The key of its events is the number of its first message: later
 * ones about the same invoice have numbers of their own.
 */
export interface DuosInvoice {
  readonly key: string;
  state: 'new' | 'replaced' | 'cancelled';
}

export function receiveDuosInvoice(cell: Cell): { invoice: DuosInvoice; received: Occurrence } {
  const event = invoiceEvent(cell);
  const invoice: DuosInvoice = { key: String(event.invoice_event_id), state: 'new' };
  return { invoice, received: occurrence('billing.duos_invoice.new', invoice.key, { v1: event }) };
}

export function replaceDuosInvoice(cell: Cell, invoice: DuosInvoice): Occurrence {
  invoice.state = 'replaced';
  return occurrence('billing.duos_invoice.replace', invoice.key, { v1: invoiceEvent(cell) });
}

export function cancelDuosInvoice(cell: Cell, invoice: DuosInvoice): Occurrence {
  invoice.state = 'cancelled';
  return occurrence('billing.duos_invoice.cancel', invoice.key, { v1: invoiceEvent(cell) });
}

/** The summaries of all business portfolios for a month are made. The key is the run's own. */
export function completePortfolioSummaries(
  cell: Cell,
  { on, count }: { readonly on: Day; readonly count: number },
): Occurrence {
  const { year, month: monthOfYear } = dateOf(on);
  const month = String(monthOfYear).padStart(2, '0');
  const run = `PIS-${year}${month}-${cell.ids.integer('portfolio run')}`;
  return occurrence('billing.portfolio_invoice_summary.completed', run, {
    v1: {
      run_identifier: run,
      s3_bucket: buckets.billing,
      s3_key_prefix: `portfolio-summaries/${year}/${month}/${run}/`,
      summary_count: count,
    },
  });
}

function invoiceEvent(cell: Cell): { invoice_event_id: number } {
  return { invoice_event_id: cell.ids.integer('invoice event') };
}
