import { createRequire } from 'node:module';
import { join } from 'node:path';
import { BusbarError, didYouMean, nearest, quoted } from 'busbar/base';
import type { ServiceContract } from '../contract.js';

interface SqliteDatabase {
  prepare(sql: string): { all(): unknown[] };
  close(): void;
}

export interface PostgresPool {
  query(sql: string): Promise<{ readonly rows: unknown[] }>;
  on(event: 'error', listener: () => void): void;
  end(): Promise<void>;
}

interface PostgresDriver {
  readonly Pool: new (options: object) => PostgresPool;
  readonly types: { getTypeParser(type: number, format?: string): (text: string) => unknown };
}

/** The types `bigint` and `numeric`, of sums and counts, which the driver returns as text. */
const numberTypes: ReadonlySet<number> = new Set([20, 1700]);

/** Returns a number if it has all the digits. */
function numberOrText(text: string): number | string {
  return text.replaceAll(/\D/g, '').length > 15 ? text : Number(text);
}

/** @throws BusbarError `missing-package` for a table whose driver is not installed */
export function requireDrivers({ observe }: ServiceContract): void {
  const tables = Object.values(observe);
  if (tables.some(({ sqlite }) => sqlite !== undefined)) sqliteDriver();
  if (tables.some(({ postgres }) => postgres !== undefined)) postgresDriver();
}

/** Opens the file for each query: a reset may replace it. */
export function querySqlite(path: string, query: string): unknown[] {
  const database = new (sqliteDriver())(path, { readOnly: true });
  try {
    return database.prepare(query).all();
  } catch (error) {
    const [, missing] = /table: (\S+)/.exec((error as Error).message) ?? [];
    if (missing === undefined) throw error;
    const tables = database.prepare("SELECT name FROM sqlite_master WHERE type = 'table'").all();
    const names = (tables as { readonly name: string }[]).map(({ name }) => name);
    throw new Error(`table ${quoted(missing)} does not exist.${didYouMean(nearest(missing, names, 1))}`);
  } finally {
    database.close();
  }
}

export function openPool(url: string): PostgresPool {
  const { Pool, types } = postgresDriver();
  const getTypeParser = (type: number, format?: string) =>
    numberTypes.has(type) ? numberOrText : types.getTypeParser(type, format);
  const pool = new Pool({ connectionString: url, max: 2, types: { getTypeParser } });
  // An idle connection that a proxy cuts.
  pool.on('error', () => undefined);
  return pool;
}

function sqliteDriver() {
  try {
    return (
      process.getBuiltinModule('node:sqlite') as {
        DatabaseSync: new (path: string, options: object) => SqliteDatabase;
      }
    ).DatabaseSync;
  } catch (cause) {
    const message = `Node ${process.versions.node} has no SQLite driver. Use Node 22.13 or later, or observe with "http" or "command".`;
    throw new BusbarError('missing-package', message, { cause });
  }
}

function postgresDriver() {
  try {
    return createRequire(join(process.cwd(), 'x.js'))('pg') as PostgresDriver;
  } catch (cause) {
    throw new BusbarError(
      'missing-package',
      'The package "pg" is not installed. Run npm install --save-dev pg.',
      { cause },
    );
  }
}
