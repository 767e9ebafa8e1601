import { BusbarError } from 'busbar/base';
import { after, until } from '../../engine/scenario.js';
import { cancelOrder, completeOrder, failOrder } from '../../world/import/data-import.js';
import { importErrors } from '../../world/import/words.js';
import { anyKey } from '../../world/weights.js';
import { defineScenario, emit } from '../define.js';

export const dataImportOrder = defineScenario({
  name: 'data-import-order',
  title: 'An order of another system becomes a joining process',
  description:
    'Another system hands over an order for supply. It becomes a joining process within minutes or hours, fails because ' +
    'of its data, or is cancelled if it is not confirmed before its window closes.',
  rate: 8,
  lead: 10,
  starts: 'office',
  branches: { outcome: { completed: 0.9, failed: 0.07, cancelled: 0.03 } },
  parseInput: readOrder,
  *run({ cell, branch, calendar, random, input }) {
    const order = input?.external_order_id ?? `ORD-${cell.ids.integer('external order')}`;
    if (branch.outcome === 'cancelled') {
      const closes = calendar.instantOf(cell.today + random.integer(1, 7));
      yield* until(closes);
      yield* after({ seconds: 1 }, { minutes: 5 });
      return yield* emit(cancelOrder(order, closes));
    }
    yield* after({ seconds: 10 }, { hours: 2 });
    if (branch.outcome === 'completed') return yield* emit(completeOrder(cell, order));
    yield* emit(failOrder(order, anyKey(random, importErrors)));
  },
});

/** An order sent through the REST API. */
export interface OrderInput {
  /** Code of the import supplier. */
  readonly supplier: string;
  readonly external_order_id: string;
  /** Digest of the request. A repeated request changes nothing. */
  readonly digest: string;
}

function readOrder(data: unknown): OrderInput {
  const { supplier, external_order_id, digest } = (data ?? {}) as Partial<OrderInput>;
  if (typeof supplier === 'string' && typeof external_order_id === 'string' && typeof digest === 'string') {
    return { supplier, external_order_id, digest };
  }
  const message = 'The data is not an order of the REST API. Use POST /v1/data-import/orders/.';
  throw new BusbarError('invalid-option', message);
}
