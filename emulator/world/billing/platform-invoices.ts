import type { Occurrence } from '../../engine/scenario.js';
import { dateOf } from '../../engine/time.js';
import type { Cell } from '../cell.js';
import { occurrence } from '../occurrence.js';
import { buckets } from '../storage.js';

/**
 * Publishes a distributor's message about an invoice for the use of its network. Each message has its own id.
 * @param first The first message about the invoice, whose key is that of all of them. Default: this is the first.
 */
export function receiveDuosInvoice(cell: Cell, message: 'new' | 'replace' | 'cancel', first?: Occurrence) {
  const id = cell.ids.integer('invoice event');
  return occurrence(`billing.duos_invoice.${message}`, first?.key ?? String(id), {
    v1: { invoice_event_id: id },
  });
}

/** Publishes that the month's summaries of all business portfolios are complete. Key: the run. */
export function completePortfolioSummaries(cell: Cell, count: number) {
  const { year, month: monthOfYear } = dateOf(cell.today);
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
