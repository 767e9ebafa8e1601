/** A client of `pg`, or a transaction of `@electric-sql/pglite`. */
export interface SqlClient {
  query(statement: string, values?: unknown[]): Promise<SqlResult>;
}

/** Result of a statement. */
export interface SqlResult {
  readonly rows: readonly unknown[];
  /** Command tag, if the driver returns it. */
  readonly command?: string;
}

/**
 * A `Pool` of `pg`, or a compatible pool. Busbar passes a callback to `connect`, and also accepts a promise.
 */
export interface SqlPool<C extends SqlClient> {
  connect(): Promise<C & PooledClient>;
}

/** An instance of `@electric-sql/pglite`, or a compatible database. */
export interface SqlDatabase<C extends SqlClient> {
  transaction<T>(run: (client: C) => Promise<T>): Promise<T>;
}

/** A client that a pool lends. */
export interface PooledClient {
  /** Returns the client to the pool; `true` closes the connection. */
  release(destroy?: boolean): void;
  on(event: 'error', listener: () => void): unknown;
  off(event: 'error', listener: () => void): unknown;
}

/** Calls `run` in a READ COMMITTED transaction. Commits if it succeeds, else rolls back. */
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
  const client = await connect(pool);
  let isBroken = true;
  try {
    await client.query('BEGIN ISOLATION LEVEL READ COMMITTED');
    const result = await run(client);
    const { command } = await client.query('COMMIT');
    isBroken = false;
    // PostgreSQL returns this tag, without an error, if a statement of the transaction has failed.
    if (command === 'ROLLBACK')
      throw new Error('The transaction was rolled back because a statement in it failed.');
    return result;
  } catch (error) {
    if (isBroken) isBroken = !(await rollBack(client));
    throw error;
  } finally {
    client.off('error', ignore);
    client.release(isBroken);
  }
}

/**
 * Connects with an error listener: a connection that breaks between two statements emits an error, which ends the process
 * without a listener. The next statement fails anyway. The pool removes its own listener before the callback, and the
 * error may follow immediately, so adding a listener after `await` is too late.
 */
function connect<C extends SqlClient>(pool: CallbackPool<C>): Promise<C & PooledClient> {
  return new Promise((resolve, reject) => {
    const take = (error: Error | undefined, client?: C & PooledClient) => {
      if (client === undefined) {
        reject(error ?? new Error('The pool returned no connection.'));
        return;
      }
      client.on('error', ignore);
      resolve(client);
    };
    const connecting = pool.connect(take);
    connecting?.then((client) => client && take(undefined, client), take);
  });
}

interface CallbackPool<C extends SqlClient> {
  connect(
    callback: (error: Error | undefined, client?: C & PooledClient) => void,
  ): Promise<(C & PooledClient) | undefined> | undefined;
}

/**
 * Adds an error listener to a pool. A pool of `pg` removes a broken idle connection and emits an error, which ends the
 * process without a listener.
 */
export function surviveIdleErrors<C extends SqlClient>(source: SqlPool<C> | SqlDatabase<C>): void {
  if (!('connect' in source) || survivors.has(source)) return;
  survivors.add(source);
  const { on } = source as { on?: PooledClient['on'] };
  on?.call(source, 'error', ignore);
}

const survivors = new WeakSet<object>();

/** Returns whether the rollback succeeded. If not, only closing the connection ends the transaction. */
async function rollBack(client: SqlClient): Promise<boolean> {
  try {
    await client.query('ROLLBACK');
    return true;
  } catch {
    return false;
  }
}

function ignore(): void {}
