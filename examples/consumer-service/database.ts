import { readFile } from 'node:fs/promises';
import {
  type PostgresStore,
  postgresStore,
  type SqlClient,
  type SqlDatabase,
  type SqlPool,
} from 'busbar/idempotency';

/** A PostgreSQL with the tables of the service and the inbox. */
export interface Database {
  readonly inbox: PostgresStore<SqlClient>;
  /** Runs one statement outside a transaction. Handlers write in the transaction of the inbox. */
  query(statement: string, values?: unknown[]): Promise<readonly unknown[]>;
  close(): Promise<void>;
}

/** Opens the database at a URL, or one in this process: in a folder, or in memory. Creates missing tables. */
export async function openDatabase(url: string | undefined): Promise<Database> {
  const opened = url?.startsWith('postgres') === true ? await openServer(url) : await openEmbedded(url);
  const inbox = postgresStore({ pool: opened.pool });
  await opened.run(await readFile(new URL('./schema.sql', import.meta.url), 'utf8'));
  await inbox.migrate();
  return { inbox, query: opened.query, close: opened.close };
}

interface Opened extends Pick<Database, 'query' | 'close'> {
  readonly pool: SqlPool<SqlClient> | SqlDatabase<SqlClient>;
  /** Runs several statements. */
  readonly run: (statements: string) => Promise<unknown>;
}

async function openServer(connectionString: string): Promise<Opened> {
  const { default: pg } = await import('pg');
  // One connection per concurrent handler (16 by default), and some for waiting duplicates.
  const pool = new pg.Pool({ connectionString, max: 20 });
  return {
    pool,
    run: (statements) => pool.query(statements),
    query: async (statement, values) => (await pool.query<Record<string, unknown>>(statement, values)).rows,
    close: () => pool.end(),
  };
}

async function openEmbedded(folder: string | undefined): Promise<Opened> {
  const { PGlite } = await import('@electric-sql/pglite');
  const pglite = await PGlite.create(folder);
  return {
    pool: pglite,
    run: (statements) => pglite.exec(statements),
    query: async (statement, values) => (await pglite.query(statement, values)).rows,
    close: () => pglite.close(),
  };
}
