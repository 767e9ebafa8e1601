import { PGlite } from '@electric-sql/pglite';
import type { SqlClient, SqlDatabase, SqlPool } from 'busbar';
import pg from 'pg';
import { afterAll, onTestFinished } from 'vitest';

export interface Database {
  readonly pool: SqlPool<SqlClient> | SqlDatabase<SqlClient>;
  /** Outside of any transaction. */
  readonly query: (statement: string) => Promise<unknown[]>;
}

/** `npm run test:postgres` starts a server and names it here. */
export const server = process.env['BUSBAR_POSTGRES'];

type Opened = readonly [name: string, open: () => Promise<Database>];

const onServer: readonly Opened[] =
  server === undefined ? [] : [['a PostgreSQL server', () => openServer(server)]];

/** PostgreSQL in this process, and the server where there is one. Each time an empty database. */
export const databases: readonly Opened[] = [['pglite', openPglite], ...onServer];

const dropAll = 'DROP TABLE IF EXISTS busbar_inbox, letters';

let embedded: PGlite | undefined;
afterAll(() => embedded?.close());

/** Takes seconds to start, so there is one. */
async function openPglite(): Promise<Database> {
  const database = (embedded ??= await PGlite.create());
  await database.exec(dropAll);
  return { pool: database, query: async (statement) => (await database.query(statement)).rows };
}

export async function openServer(connectionString: string): Promise<Database & { pool: pg.Pool }> {
  const pool = new pg.Pool({ connectionString, max: 5 });
  onTestFinished(() => pool.end());
  const query = async (statement: string) => (await pool.query<Record<string, unknown>>(statement)).rows;
  await query(dropAll);
  return { pool, query };
}
