import type { Occurrence } from '../../engine/scenario.js';
import { formatInstant, type Instant } from '../../engine/time.js';
import type { Cell } from '../cell.js';
import { occurrence } from '../occurrence.js';
import { type ImportError, importErrors } from '../vocabulary/import.js';

/** An order that another system took, to become a joining process of ours. Its number there is its key. */
export interface ImportedOrder {
  /** As the other system gave it; of those that nobody outside sends, `ORD-` and a number. */
  readonly number: string;
}

/** An order comes in, under the number that somebody outside gave it, or under the next of ours. */
export function receiveOrder(cell: Cell, number?: string): ImportedOrder {
  return { number: number ?? `ORD-${cell.ids.integer('external order')}` };
}

/** The order has become a joining process. */
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

/** Nobody confirmed the order before its window closed. */
export function cancelOrder({ number }: ImportedOrder, windowEnded: Instant): Occurrence {
  return occurrence('data_import.order_process.cancelled', number, {
    v1: { external_order_id: number, expiry_window_end: formatInstant(windowEnded) },
  });
}
