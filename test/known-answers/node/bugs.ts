import type { ConsumerOptions, EventOf } from 'busbar';
import type { BugName } from '../services.js';
import { askPlatform, Bills, type BillsClass, type Effect, increment, type Received } from './bills.js';
import type { Sql } from './database.js';

/** The seeded bugs in process, each as its difference from the correct service. There, Busbar decides about retries. */
export const bugs: Readonly<Record<Exclude<BugName, 'skips-after-ten-attempts'>, BillsClass>> = {
  'adds-on-every-delivery': class extends Bills {
    override agreementCreated(event: EventOf<'agreement.created'>): Promise<void> {
      return this.transaction((sql) => this.addAgreement(sql, event));
    }
  },

  /** In process: the handler ends, which settles its event, while the work begins. */
  'commits-before-work': class extends Bills {
    override async once(event: Received, effect: Effect): Promise<void> {
      super.once(event, effect).catch(() => undefined);
    }
  },

  /** In process: handlers end while their effects wait for a full batch or a timer. */
  'auto-commit-with-a-batch': class extends Bills {
    readonly #batch: (() => Promise<void>)[] = [];
    #timer: NodeJS.Timeout | undefined;

    override async once(event: Received, effect: Effect): Promise<void> {
      this.#batch.push(() => super.once(event, effect));
      clearTimeout(this.#timer);
      if (this.#batch.length >= 10) await this.#write();
      else this.#timer = setTimeout(() => void this.#write().catch(() => undefined), 50);
    }

    async #write(): Promise<void> {
      for (const each of this.#batch.splice(0)) await each();
    }
  },

  'marks-in-another-transaction': class extends Bills {
    override async once(event: Received, effect: Effect): Promise<void> {
      const isNew = await this.transaction((sql) => sql.insert('inbox', this.keyOf(event), {}));
      if (isNew) await this.transaction(effect);
    }
  },

  'remembers-in-memory': class extends Bills {
    readonly #seen = new Set<string>();

    override async once(event: Received, effect: Effect): Promise<void> {
      if (this.#seen.has(this.keyOf(event))) return;
      await this.transaction(effect);
      this.#seen.add(this.keyOf(event));
    }
  },

  'swallows-database-errors': class extends Bills {
    override async accountCreated(event: EventOf<'account.created'>): Promise<void> {
      try {
        await super.accountCreated(event);
      } catch {
        // As if it were logged.
      }
    }
  },

  /** A user comes under another key than the account: a bill has the key of its account. */
  'drops-what-comes-early': class extends Bills {
    override async linkUser(sql: Sql, event: EventOf<'account_user.created'>): Promise<void> {
      const [account] = event.payload.linked_accounts as readonly { readonly number?: string }[];
      if ((await sql.get('account', account?.number ?? '')) !== undefined) await super.linkUser(sql, event);
    }
  },

  'stops-at-a-broken-record': class extends Bills {
    override options(): ConsumerOptions {
      return { policies: { undecodableRecords: 'fail', invalidEvents: 'fail' } };
    }
  },

  'counts-both-versions': class extends Bills {
    override keyOf({ id }: Received): string {
      return id ?? '';
    }
  },

  'needs-an-optional-field': class extends Bills {
    override async openAccount(sql: Sql, { payload }: EventOf<'account.created'>): Promise<void> {
      await sql.put('account', payload.account_number, { imported: payload.is_imported!.toString() });
    }
  },

  'accepts-one-form-of-times': class extends Bills {
    override async addAgreement(sql: Sql, event: EventOf<'agreement.created'>): Promise<void> {
      if (!/\.\d{3}Z$/.test(event.payload.valid_from)) throw new Error('The time has an unexpected form.');
      await super.addAgreement(sql, event);
    }
  },

  'counts-by-local-day': class extends Bills {
    override async addAgreement(sql: Sql, { payload }: EventOf<'agreement.created'>): Promise<void> {
      const day = new Date(payload.valid_from).getDate();
      await increment(sql, 'agreements', `${payload.account_number} ${day}`);
    }
  },

  /** In process: the cache outlives a transaction that failed, as it would outlive a partition. */
  'keeps-a-cache': class extends Bills {
    readonly #agreements = new Map<string, number>();

    override async addAgreement(sql: Sql, { payload }: EventOf<'agreement.created'>): Promise<void> {
      const account = payload.account_number;
      const row = (await sql.get('agreements', account)) as { readonly count: number } | undefined;
      const count = (this.#agreements.get(account) ?? row?.count ?? 0) + 1;
      this.#agreements.set(account, count);
      await sql.put('agreements', account, { count });
    }
  },

  'takes-an-outage-for-not-found': class extends Bills {
    override async payerOf(account: string): Promise<string | null> {
      const response = await askPlatform(await this.setup.restApi(), account);
      return response.ok ? ((await response.json()) as { billing_name: string }).billing_name : null;
    }
  },
};
