import { either, objectWith, type OptionTable, readOptions, text } from '../base/options.js';
import { BusbarError, quoted } from '../base/errors.js';
import type { HandlerContext } from '../event.js';
import type { IdempotencyStore } from './idempotent.js';
import { defaultInboxTable, inboxMigration } from './inbox-migration.js';
import { type SqlClient, type SqlDatabase, type SqlPool, surviveIdleErrors, transact } from './transact.js';

/** Options of {@link postgresStore}. */
export interface PostgresStoreOptions<C extends SqlClient> {
  /** `Pool` of `pg`, or an instance of `@electric-sql/pglite`. */
  readonly pool: SqlPool<C> | SqlDatabase<C>;
  /** Name of the inbox table, optionally with a schema. Default `busbar_inbox`. */
  readonly table?: string;
}

/** The store of {@link postgresStore}. */
export interface PostgresStore<C extends SqlClient> extends IdempotencyStore {
  /**
   * Returns the transaction of the mark, for the handler's own statements: both are committed, or neither.
   * @throws BusbarError `no-transaction` when the handler has no `idempotent({ store })` with this store
   */
  transaction(context: HandlerContext): C;
  /** Creates the table if it is missing, by {@link inboxMigration}. Several processes may call it concurrently. */
  migrate(): Promise<void>;
  /** Deletes marks of events handled before an instant. Returns how many. Keep marks of events that may be replayed. */
  deleteMarksBefore(instant: Date): Promise<number>;
}

const postgresStoreOptions = {
  pool: {
    type: either(objectWith('a Pool of pg', 'connect'), objectWith('a PGlite', 'transaction')),
    isRequired: true,
  },
  table: { type: text, default: defaultInboxTable },
} satisfies OptionTable<PostgresStoreOptions<SqlClient>>;

/**
 * Creates a store in an inbox table of the consumer's own PostgreSQL database. It inserts the mark in the transaction in
 * which the handler writes, so these writes take effect exactly once. A concurrent duplicate waits on the unique index,
 * then skips. Each running handler occupies one connection.
 * @throws BusbarError `invalid-option`
 * @example
 * const inbox = postgresStore<PoolClient>({ pool: new Pool() });
 * consumer.use(idempotent({ store: inbox }));
 * consumer.on('account.created', 'v1', async ({ payload }, context) => {
 *   await inbox.transaction(context).query('INSERT INTO accounts VALUES ($1)', [payload.account_number]);
 * });
 */
export function postgresStore<C extends SqlClient = SqlClient>(
  options: PostgresStoreOptions<C>,
): PostgresStore<C> {
  const { pool, table } = readOptions('postgresStore()', postgresStoreOptions, options);
  const migration = inboxMigration(table);
  surviveIdleErrors(pool);
  const clients = new WeakMap<HandlerContext, C>();
  const insert = `INSERT INTO ${table} (consumer, handler, event) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING RETURNING 1`;

  return {
    async once({ consumer, handler, event }, context, handle) {
      await transact(pool, async (client) => {
        const { rows } = await client.query(insert, [consumer, handler, event]);
        if (rows.length === 0) return;
        // It may have waited for a connection until its deadline, or until the partition had another owner.
        context.signal.throwIfAborted();
        clients.set(context, client);
        try {
          await handle();
        } finally {
          clients.delete(context);
        }
        // An aborted handler may have stopped halfway.
        context.signal.throwIfAborted();
      });
    },
    transaction(context) {
      const client = clients.get(context);
      if (client !== undefined) return client;
      throw new BusbarError(
        'no-transaction',
        `Handler ${quoted(context.handler)} has no transaction. Use idempotent({ store }) with this store, and call transaction() while the handler runs.`,
      );
    },
    async migrate() {
      await transact(pool, async (client) => {
        // Concurrent CREATE TABLE statements fail even with IF NOT EXISTS.
        await client.query('SELECT pg_advisory_xact_lock(hashtext($1))', [table]);
        for (const statement of migration) await client.query(statement);
      });
    },
    async deleteMarksBefore(instant) {
      const statement = `DELETE FROM ${table} WHERE handled_at < $1 RETURNING 1`;
      return transact(pool, async (client) => {
        const { rows } = await client.query(
          `WITH deleted AS (${statement}) SELECT count(*)::int AS count FROM deleted`,
          [instant.toISOString()],
        );
        const [row] = rows as readonly { readonly count: number }[];
        return row?.count ?? 0;
      });
    },
  };
}
