import { type AnyEvent, type Consumer, createConsumer, type HandlerContext, type Middleware } from 'busbar';
import { idempotent } from 'busbar/idempotency';
import type { Database } from './database.ts';
import type { Platform } from './platform.ts';
import { type Projection, projection } from './projection.ts';

/** The dependencies of the handlers. */
export interface Parts {
  readonly database: Database;
  readonly platform: Platform;
  readonly projection: Projection;
  /** Middleware that runs each handler once per event. */
  readonly once: Middleware;
}

/** Returns the usual dependencies. */
export function partsOf(database: Database, platform: Platform): Parts {
  return { database, platform, projection, once: idempotent({ store: database.inbox }) };
}

/** Follows departing customers: their end of supply, their bookings, and the town of their final bill. */
export function movesConsumer(
  parts: Parts,
  consumer: Consumer = createConsumer({ name: 'moves' }),
): Consumer {
  const { database, platform, projection: tables, once } = parts;
  consumer.use(once);

  // The inbox records handled events by handler name.
  consumer.on(
    'lifecycle.leave-supplier.requested',
    'v3',
    (event, context) =>
      tables.planLeaving(database.inbox.transaction(context), event.payload, toldAt(event, context)),
    { name: 'plan-leaving' },
  );
  consumer.on(
    'lifecycle.leave-supplier.updated',
    'v3',
    (event, context) =>
      tables.planLeaving(database.inbox.transaction(context), event.payload, toldAt(event, context)),
    { name: 'move-leaving' },
  );
  consumer.on(
    'lifecycle.leave-supplier.completed',
    'v3',
    ({ payload }, context) => tables.endSupply(database.inbox.transaction(context), payload),
    { name: 'end-supply' },
  );
  consumer.on(
    'lifecycle.leave-supplier.reversal-requested',
    'v2',
    ({ payload }, context) => tables.continueSupply(database.inbox.transaction(context), payload),
    { name: 'continue-supply' },
  );
  // v1 has the same entries without their details.
  consumer.on(
    'billing.ledger.entry_posted',
    'v2',
    ({ payload }, context) => tables.book(database.inbox.transaction(context), payload),
    { name: 'book' },
  );
  consumer.on(
    'billing.final_bill',
    'v1',
    async ({ payload }, context) => {
      const town = await platform.townOf(payload.account_number, context.signal);
      await tables.keepFinalBill(database.inbox.transaction(context), payload, town);
    },
    { name: 'keep-final-bill' },
  );
  return consumer;
}

function toldAt({ occurredAt }: Pick<AnyEvent, 'occurredAt'>, { clock }: HandlerContext): string {
  return occurredAt ?? new Date(clock.now()).toISOString();
}
