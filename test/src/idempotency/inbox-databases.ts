import type { PGlite } from '@electric-sql/pglite';
import type { SqlClient, SqlDatabase, SqlPool } from 'busbar/idempotency';
import pg from 'pg';
import { afterAll, onTestFinished } from 'vitest';
import { openPglite } from '../../open-pglite.js';
import { type ServedPglite, servePglite } from './serve-pglite.js';

export interface Database {
  readonly pool: SqlPool<SqlClient> | SqlDatabase<SqlClient>;
  /** Outside of any transaction. */
  readonly query: (statement: string) => Promise<unknown[]>;
}

interface OnServer extends Database {
  readonly pool: pg.Pool;
}

/** `npm run test:postgres` starts a server and names it here. */
export const server = process.env['BUSBAR_POSTGRES'];

type Opened = readonly [name: string, open: () => Promise<Database>];

const onServer: readonly Opened[] =
  server === undefined ? [] : [['a PostgreSQL server', () => openServer(server)]];

/** PostgreSQL in this process, and the server where there is one. Each time an empty database. */
export const databases: readonly Opened[] = [
  ['pglite', openEmbedded],
  ['pglite behind a pool of pg', openServedPglite],
  ...onServer,
];

const dropAll = 'DROP TABLE IF EXISTS busbar_inbox, letters';

let embedded: PGlite | undefined;
afterAll(() => embedded?.close());

/** Takes seconds to start, so there is one. */
async function openEmbedded(): Promise<Database> {
  const database = (embedded ??= await openPglite());
  await database.exec(dropAll);
  return { pool: database, query: async (statement) => (await database.query(statement)).rows };
}

/** With a pool of a single connection, which the test can end. */
export async function openServedPglite(): Promise<OnServer & { served: ServedPglite }> {
  const { query } = await openEmbedded();
  const served = await servePglite(embedded!);
  onTestFinished(() => served.stop());
  return { pool: openPool(served.url, 1), query, served };
}

export async function openServer(connectionString: string): Promise<OnServer> {
  const pool = openPool(connectionString, 5);
  const query = async (statement: string) => (await pool.query<Record<string, unknown>>(statement)).rows;
  await query(dropAll);
  return { pool, query };
}

function openPool(connectionString: string, max: number): pg.Pool {
  const pool = new pg.Pool({ connectionString, max });
  onTestFinished(() => pool.end());
  return pool;
}
