import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ConsumerOptions, EventOf } from 'busbar';
import type { VariantName } from '../services.js';
import { Bills, type BillsClass, type Effect, type Received } from './bills.js';
import type { Row, Sql } from './database.js';

/** Correct services in process, each as its difference from the first. */
export const variants: Readonly<Record<VariantName, BillsClass>> = {
  'inbox-in-one-transaction': Bills,

  'upserts-by-natural-key': class extends Bills {
    override once(_event: Received, effect: Effect): Promise<void> {
      return this.transaction(effect);
    }

    override addAgreement(sql: Sql, { payload }: EventOf<'agreement.created'>): Promise<void> {
      return sql.put('agreements', String(payload.agreement_id), { account: payload.account_number });
    }

    override postEntry(sql: Sql, event: EventOf<'billing.ledger.entry_posted'>): Promise<void> {
      return sql.put('entries', this.keyOf(event), { account: event.payload.ledger.account.number });
    }
  },

  'generated-columns': class extends Bills {
    override async openAccount(sql: Sql, { payload }: EventOf<'account.created'>): Promise<void> {
      const generated = { id: randomUUID(), updatedAt: performance.now() };
      await sql.put('account', payload.account_number, {
        ...generated,
        imported: payload.is_imported ?? null,
      });
    }
  },

  /** In process: effects of concurrent handlers share a transaction, and each handler awaits it. */
  batches: class extends Bills {
    #batch: (() => Effect)[] = [];
    #written: Promise<void> | undefined;

    override once(event: Received, effect: Effect): Promise<void> {
      this.#batch.push(() => async (sql) => {
        if (await sql.insert('inbox', this.keyOf(event), {})) await effect(sql);
      });
      this.#written ??= new Promise(setImmediate).then(() => {
        const batch = this.#batch.splice(0, 500);
        this.#written = undefined;
        return this.transaction(async (sql) => {
          for (const each of batch) await each()(sql);
        });
      });
      return this.#written;
    }
  },

  /** In process: the work takes real time, and the handler awaits it. */
  'commits-by-timer': class extends Bills {
    override async once(event: Received, effect: Effect): Promise<void> {
      await sleep(1);
      await super.once(event, effect);
    }
  },

  /** In process: the policy keeps the record in a table. */
  'parks-broken-records': class extends Bills {
    override options(): ConsumerOptions {
      const park = ({ record }: { readonly record: Received['record'] }) => {
        this.database.table('parked').set(`${record.partition}/${record.offset}`, {});
        return 'ignore' as const;
      };
      return { policies: { undecodableRecords: park, invalidEvents: park } };
    }
  },

  /** In process: the first error of a handler ends the run, and a start redelivers. */
  'exits-on-errors': class extends Bills {
    override options(): ConsumerOptions {
      return { retry: { attempts: 1 }, afterDeadLetter: 'stop' };
    }
  },

  'stores-times-as-they-came': class extends Bills {
    override addAgreement(sql: Sql, { payload }: EventOf<'agreement.created'>): Promise<void> {
      return sql.put('agreements', String(payload.agreement_id), { from: payload.valid_from });
    }
  },

  /** The outbox is written with the bill, and sent after the commit, also by the next process. */
  'durable-outbox': class extends Bills {
    override async start(): Promise<void> {
      void this.#send();
    }

    override async finalBill(event: EventOf<'billing.final_bill'>): Promise<void> {
      const { statement_id: statement, account_number: account } = event.payload;
      const payer = await this.payerOf(account);
      await this.once(event, (sql) => sql.put('outbox', String(statement), { account, payer }));
      setTimeout(() => void this.#send(), 5);
    }

    async #send(): Promise<void> {
      for (const [statement, row] of this.database.table('outbox')) {
        await this.database.transaction(
          (sql) => sql.put('bill', statement, row),
          () => undefined,
        );
      }
    }
  },

  /** In process: the database keeps which positions are done, next to the effect. */
  'own-offsets': class extends Bills {
    override once(event: Received, effect: Effect): Promise<void> {
      const { topic, partition, offset } = event.record;
      return this.transaction(async (sql) => {
        if (!(await sql.insert('positions', `${topic}/${partition}/${offset}`, {}))) return;
        if (await sql.insert('inbox', this.keyOf(event), {})) await effect(sql);
      });
    }
  },

  'versions-fill-columns': class extends Bills {
    override keyOf({ id }: Received): string {
      return id ?? '';
    }

    override async postEntry(sql: Sql, event: EventOf<'billing.ledger.entry_posted'>): Promise<void> {
      const key = event.occurrenceId ?? '';
      const known: Row = (await sql.get('entries', key)) ?? {};
      const { payload } = event;
      const own =
        event.version === 'v1'
          ? { ledger: payload.ledger.number }
          : { entry: event.payload.entry.id, source: event.payload.entry.source_type ?? null };
      await sql.put('entries', key, { ...known, ...own });
    }
  },

  /** In process: the consumer is ready only after a while. */
  'static-membership': class extends Bills {
    override async start(): Promise<void> {
      await sleep(5);
    }
  },
};
