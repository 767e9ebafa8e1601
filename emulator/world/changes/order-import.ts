import type { Occurrence } from '../../engine/scenario.js';
import { formatInstant, type Instant } from '../../engine/time.js';
import type { Cell } from '../cell.js';
import { occurrence } from '../occurrence.js';
import { type ImportError, importErrors } from '../vocabulary/import.js';

/** An order of another system. Key of its events: the number. */
interface ImportedOrder {
  /** The other system's number; simulated orders have `ORD-` and a number. */
  readonly number: string;
}

/** Receives an order, by default a simulated one under the next number. */
export function receiveOrder(cell: Cell, number?: string): ImportedOrder {
  return { number: number ?? `ORD-${cell.ids.integer('external order')}` };
}

/** Publishes that the order has become a joining process. */
export function completeOrder(cell: Cell, { number }: ImportedOrder): Occurrence {
  return occurrence('data_import.order_process.complete', number, {
    v1: { external_order_id: number, process_id: cell.ids.number('join') },
  });
}

export function failOrder({ number }: ImportedOrder, error: ImportError): Occurrence {
  return occurrence('data_import.order_process.error', number, {
    v1: { external_order_id: number, error_code: error, error_detail: importErrors[error] },
  });
}

/** Cancels an order that was not confirmed before its window closed. */
export function cancelOrder({ number }: ImportedOrder, windowEnded: Instant): Occurrence {
  return occurrence('data_import.order_process.cancelled', number, {
    v1: { external_order_id: number, expiry_window_end: formatInstant(windowEnded) },
  });
}
