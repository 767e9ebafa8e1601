import {
  type AnyEvent,
  type Consumer,
  createConsumer,
  type HandlerContext,
  idempotent,
  type Middleware,
} from 'busbar';
import type { Database } from './database.ts';
import type { Platform } from './platform.ts';
import { type Projection, projection } from './projection.ts';

/** What the handlers work with. */
export interface Parts {
  readonly database: Database;
  readonly platform: Platform;
  readonly projection: Projection;
  /** Lets each handler handle each event once. */
  readonly once: Middleware;
}

/** The parts as they belong together. */
export function partsOf(database: Database, platform: Platform): Parts {
  return { database, platform, projection, once: idempotent({ store: database.inbox }) };
}

/** Follows customers who leave: until when they are supplied, what is booked for them, where their final bill goes. */
export function movesConsumer(
  parts: Parts,
  consumer: Consumer = createConsumer({ name: 'moves' }),
): Consumer {
  const { database, platform, projection: tables, once } = parts;
  consumer.use(once);

  // Handlers have names: the inbox remembers by them what was handled.
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
  // v1 tells of the same entries, without what they are.
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
