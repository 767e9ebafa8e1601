import { type Consumer, type ConsumerOptions, createConsumer, type EventOf, silentLogger } from 'busbar';
import type { ContractOptions, ContractSetup, RestApi } from 'busbar-emulator/testing';
import { Database, type Sql } from './database.js';

export type Effect = (sql: Sql) => Promise<void>;
/** The parts of an event that the inbox reads. */
export type Received = Pick<EventOf<'account.created'>, 'id' | 'occurrenceId' | 'record'>;

/** The correct service: every event takes effect once, in one transaction with its entry in the inbox. */
export class Bills {
  protected readonly database: Database;
  protected readonly setup: ContractSetup;

  constructor(database: Database, setup: ContractSetup) {
    this.database = database;
    this.setup = setup;
  }

  /** Waits for what the service needs before it consumes. */
  async start(): Promise<void> {}

  options(): ConsumerOptions {
    return {};
  }

  consumer(): Consumer {
    const consumer = createConsumer({ name: 'bills', logger: silentLogger, ...this.options() });
    consumer.on('account.created', 'v1', (event) => this.accountCreated(event));
    consumer.on('account_user.created', 'v1', (event) =>
      this.once(event, (sql) => this.linkUser(sql, event)),
    );
    consumer.on('agreement.created', 'v1', (event) => this.agreementCreated(event));
    consumer.on('billing.ledger.entry_posted', ['v1', 'v2'], (event) =>
      this.once(event, (sql) => this.postEntry(sql, event)),
    );
    consumer.on('billing.final_bill', 'v1', (event) => this.finalBill(event));
    return consumer;
  }

  /** Runs the effect unless the inbox has the occurrence: redelivered, or handled in another version. */
  once(event: Received, effect: Effect): Promise<void> {
    return this.transaction(async (sql) => {
      if (await sql.insert('inbox', this.keyOf(event), seen)) await effect(sql);
    });
  }

  keyOf({ occurrenceId, id }: Received): string {
    return occurrenceId ?? id ?? '';
  }

  transaction<Result>(work: (sql: Sql) => Promise<Result>): Promise<Result> {
    return this.database.transaction(work, this.setup.failurePoint);
  }

  accountCreated(event: EventOf<'account.created'>): Promise<void> {
    return this.once(event, (sql) => this.openAccount(sql, event));
  }

  async openAccount(sql: Sql, { payload }: EventOf<'account.created'>): Promise<void> {
    await sql.put('account', payload.account_number, { imported: payload.is_imported ?? null });
  }

  async linkUser(sql: Sql, { payload }: EventOf<'account_user.created'>): Promise<void> {
    for (const account of payload.linked_accounts) {
      const { number } = account as { readonly number?: unknown };
      if (typeof number === 'string') await sql.put('user', `${payload.user_number} ${number}`, {});
    }
  }

  agreementCreated(event: EventOf<'agreement.created'>): Promise<void> {
    return this.once(event, (sql) => this.addAgreement(sql, event));
  }

  /** Counts the agreements of an account. Not idempotent: the inbox keeps duplicates out. */
  async addAgreement(sql: Sql, { payload }: EventOf<'agreement.created'>): Promise<void> {
    await increment(sql, 'agreements', payload.account_number);
  }

  async postEntry(sql: Sql, { payload }: EventOf<'billing.ledger.entry_posted'>): Promise<void> {
    await increment(sql, 'entries', payload.ledger.account.number);
  }

  async finalBill(event: EventOf<'billing.final_bill'>): Promise<void> {
    const { statement_id, account_number } = event.payload;
    const payer = await this.payerOf(account_number);
    await this.once(event, (sql) =>
      sql.put('bill', String(statement_id), { account: account_number, payer }),
    );
  }

  /** Returns the name on the bills of an account; null for an unknown account. */
  async payerOf(account: string): Promise<string | null> {
    const response = await askPlatform(await this.setup.restApi(), account);
    if (response.status === 404) return null;
    if (!response.ok) throw new Error(`The platform responds with ${response.status}.`);
    return ((await response.json()) as { billing_name: string }).billing_name;
  }
}

const seen = {};

export async function increment(sql: Sql, table: string, key: string): Promise<void> {
  const { count = 0 } = ((await sql.get(table, key)) ?? {}) as { readonly count?: number };
  await sql.put(table, key, { count: count + 1 });
}

export function askPlatform({ url, apiKey }: RestApi, account: string): Promise<Response> {
  const authorization = `Basic ${Buffer.from(`${apiKey}:`).toString('base64')}`;
  return fetch(`${url}accounts/${encodeURIComponent(account)}/`, { headers: { authorization } });
}

export type BillsClass = new (...parts: ConstructorParameters<typeof Bills>) => Bills;

const tables = ['account', 'user', 'agreements', 'entries', 'bill'];

/** The module of a service for `emulate verify`: a source of consumers, and the contract. */
export function moduleOf(Service: BillsClass) {
  const database = new Database();
  const consumer = async (setup: ContractSetup): Promise<Consumer> => {
    const service = new Service(database, setup);
    await service.start();
    return service.consumer();
  };
  const contract: ContractOptions = {
    scenarios: ['house-move'],
    observe: () => Object.fromEntries(tables.map((name) => [name, new Map(database.table(name))])),
    reset: () => database.clear(),
  };
  return { consumer, contract };
}
