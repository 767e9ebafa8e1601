/** What a statement is run with: a client of `pg`, or a transaction of `@electric-sql/pglite`. */
export interface SqlClient {
  query(statement: string, values?: unknown[]): Promise<SqlResult>;
}

export interface SqlResult {
  readonly rows: readonly unknown[];
  /** The command's tag, where the driver tells it. */
  readonly command?: string;
}

/**
 * A `Pool` of `pg`, or what fits. It is called with a callback, as pools of `pg` take one; a pool that returns a promise
 * instead fits too.
 */
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
  const client = await connect(pool);
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

/**
 * A connection that breaks between two statements emits an error, which ends the process when it has no listener. The
 * next statement fails anyway. The pool's own listener is gone when the callback is called, and the end of the connection
 * may lie in bytes that were read already: after `await` it is too late for a listener.
 */
function connect<C extends SqlClient>(pool: CallbackPool<C>): Promise<C & PooledClient> {
  return new Promise((resolve, reject) => {
    const take = (error: Error | undefined, client?: C & PooledClient) => {
      if (client === undefined) {
        reject(error ?? new Error('The pool gave no connection.'));
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
 * A pool of `pg` removes an idle connection that breaks, and emits an error, which ends the process when it has no
 * listener.
 */
export function surviveIdleErrors<C extends SqlClient>(source: SqlPool<C> | SqlDatabase<C>): void {
  if (!('connect' in source) || survivors.has(source)) return;
  survivors.add(source);
  const { on } = source as { on?: PooledClient['on'] };
  on?.call(source, 'error', ignore);
}

const survivors = new WeakSet<object>();

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
