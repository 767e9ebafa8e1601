/** What a statement is run with: a client of `pg`, or a transaction of `@electric-sql/pglite`. */
export interface SqlClient {
  query(statement: string, values?: unknown[]): Promise<SqlResult>;
}

export interface SqlResult {
  readonly rows: readonly unknown[];
  /** The command's tag, where the driver tells it. */
  readonly command?: string;
}

/** A `Pool` of `pg`, or what fits. */
export interface SqlPool<C extends SqlClient> {
  connect(): Promise<C & PooledClient>;
}

/** An instance of `@electric-sql/pglite`, or what fits. */
export interface SqlDatabase<C extends SqlClient> {
  transaction<T>(run: (client: C) => Promise<T>): Promise<T>;
}

interface PooledClient {
  /** `true` closes the connection. */
  release(destroy?: boolean): void;
  on(event: 'error', listener: () => void): unknown;
  off(event: 'error', listener: () => void): unknown;
}

/** Runs in one transaction of READ COMMITTED: committed when `run` ends well, else rolled back. */
export function transact<C extends SqlClient, T>(
  source: SqlPool<C> | SqlDatabase<C>,
  run: (client: C) => Promise<T>,
): Promise<T> {
  return 'connect' in source ? transactOnPool(source, run) : source.transaction(run);
}

async function transactOnPool<C extends SqlClient, T>(
  pool: SqlPool<C>,
  run: (client: C) => Promise<T>,
): Promise<T> {
  const client = await pool.connect();
  // A connection that breaks between two statements tells so by an event, which would end the process if nobody
  // listened; the next statement fails anyway.
  client.on('error', ignore);
  let isBroken = true;
  try {
    await client.query('BEGIN ISOLATION LEVEL READ COMMITTED');
    const result = await run(client);
    const { command } = await client.query('COMMIT');
    isBroken = false;
    // PostgreSQL answers so, without an error, when a statement of the transaction had failed.
    if (command === 'ROLLBACK')
      throw new Error('The transaction was rolled back: a statement in it had failed.');
    return result;
  } catch (error) {
    if (isBroken) isBroken = !(await rolledBack(client));
    throw error;
  } finally {
    client.off('error', ignore);
    client.release(isBroken);
  }
}

/** When not, only closing the connection ends the transaction. */
async function rolledBack(client: SqlClient): Promise<boolean> {
  try {
    await client.query('ROLLBACK');
    return true;
  } catch {
    return false;
  }
}

function ignore(): void {}
