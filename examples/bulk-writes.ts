/** A consumer that writes the events of many handlers with one statement. `docs/guides/bulk-writes.md` explains it. */
import { createConsumer } from 'busbar';

/** Part of a pool of `pg` or PGlite. */
export interface Sql {
  query(statement: string, values: unknown[]): Promise<unknown>;
}

/** Returns a consumer that keeps a table of accounts. */
export function accounts(sql: Sql) {
  const insert = `INSERT INTO accounts (event_id, number) SELECT * FROM unnest($1::text[], $2::text[])
    ON CONFLICT (event_id) DO NOTHING`;
  const store = inBulk<{ readonly id: string; readonly number: string }>((rows) =>
    sql.query(insert, [rows.map(({ id }) => id), rows.map(({ number }) => number)]),
  );
  // A write has at most as many rows as handlers run at a time.
  const consumer = createConsumer({ name: 'accounts', concurrency: 500 });
  consumer.on('account.created', 'v1', async ({ id = '', payload }) => {
    await store({ id, number: payload.account_number });
  });
  return consumer;
}

/**
 * Returns a function that resolves when the row is written. Rows that arrive during a write are written together after it.
 * If that fails, each is written alone, so that only the handlers of rows that cannot be written fail.
 */
export function inBulk<Row>(write: (rows: readonly Row[]) => Promise<unknown>) {
  let rows: Row[] = [];
  let next: Promise<unknown> | undefined;
  let last: Promise<unknown> = Promise.resolve();
  const writeRows = () => {
    const written = rows;
    [rows, next] = [[], undefined];
    return write(written);
  };
  return (row: Row): Promise<unknown> => {
    rows.push(row);
    next ??= last = last.catch(() => undefined).then(writeRows);
    return next.catch(() => write([row]));
  };
}
