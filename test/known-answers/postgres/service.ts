import { type AnyEvent, type Consumer, createConsumer, type HandlerContext, silentLogger } from 'busbar';
import { idempotent, postgresStore } from 'busbar/idempotency';
import type { ContractOptions } from 'busbar-emulator/testing';
import pg from 'pg';

/** A service on PostgreSQL, as a module for `emulate verify`. */
export interface ServiceModule {
  readonly consumer: () => Consumer;
  readonly contract: ContractOptions;
  close(): Promise<void>;
}

/** The difference of a service from the correct one. */
export interface Difference {
  /** The unit that the inbox handles once. Default `occurrence`. */
  readonly by?: 'event' | 'occurrence';
  /** Whether bills are inserted by a query that is not awaited. Default false. */
  readonly floats?: boolean;
}

/**
 * Inserts a row with a primary key for each event of six types, two of them in two versions, and handles each occurrence
 * once.
 */
export async function openService(
  connectionString: string,
  { by = 'occurrence', floats = false }: Difference = {},
): Promise<ServiceModule> {
  const database = new pg.Pool({ connectionString, max: 20 });
  const inbox = postgresStore({ pool: database });
  await inbox.migrate();
  for (const name of tables) {
    await database.query(`DROP TABLE IF EXISTS ${name}`);
    await database.query(`CREATE TABLE ${name} (id text PRIMARY KEY, about text NOT NULL)`);
  }

  const consumer = (): Consumer => {
    const made = createConsumer({ name: 'rows', logger: silentLogger });
    made.use(idempotent({ store: inbox, by }));
    const insert = async (table: Table, context: HandlerContext, id: string | number, about: string) => {
      const statement = `INSERT INTO ${table} VALUES ($1, $2)`;
      await inbox.transaction(context).query(statement, [String(id), about]);
    };

    /** The key that an inbox by this unit keeps unique. */
    const keyOf = ({ id = '', occurrenceId = '' }: AnyEvent) => (by === 'event' ? id : occurrenceId);

    made.on('account.created', 'v1', ({ payload }, context) =>
      insert('accounts', context, payload.account_number, String(payload.is_imported ?? null)),
    );
    made.on('account_user.created', 'v1', ({ payload }, context) =>
      insert('users', context, payload.user_number, payload.user_email),
    );
    made.on('agreement.created', 'v1', ({ payload }, context) =>
      insert('agreements', context, payload.agreement_id, payload.account_number),
    );
    made.on('agreement.terminated', ['v1', 'v2'], (event, context) =>
      insert('terminations', context, keyOf(event), String(event.payload.agreement_id)),
    );
    made.on('billing.ledger.entry_posted', ['v1', 'v2'], (event, context) =>
      insert('entries', context, keyOf(event), event.payload.ledger.account.number),
    );
    made.on('billing.final_bill', 'v1', async ({ payload }, context) => {
      const row = [String(payload.statement_id), payload.account_number] as const;
      if (floats) void database.query('INSERT INTO bills VALUES ($1, $2) ON CONFLICT DO NOTHING', [...row]);
      else await insert('bills', context, ...row);
    });
    return made;
  };
  const contract: ContractOptions = {
    scenarios: ['house-move'],
    observe: async () => Object.fromEntries(await Promise.all(tables.map(rowsOf))),
    reset: async () => {
      await database.query(`TRUNCATE busbar_inbox, ${tables.join(', ')}`);
    },
  };
  const rowsOf = async (table: Table) => {
    const { rows } = await database.query<object>(
      `SELECT about, count(*)::int AS count FROM ${table} GROUP BY about ORDER BY about`,
    );
    return [table, rows] as const;
  };
  return { consumer, contract, close: () => database.end() };
}

const tables = ['accounts', 'users', 'agreements', 'terminations', 'entries', 'bills'] as const;

type Table = (typeof tables)[number];
