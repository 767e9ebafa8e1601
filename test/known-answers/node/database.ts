export type Row = Readonly<Record<string, unknown>>;

/** Statements of a transaction. A key names a row of its table. */
export interface Sql {
  get(table: string, key: string): Promise<Row | undefined>;
  /** Adds or replaces a row. */
  put(table: string, key: string, row: Row): Promise<void>;
  /** Adds a row unless its key exists. Returns whether it did. */
  insert(table: string, key: string, row: Row): Promise<boolean>;
}

/** Tables in memory that outlive the consumer, with transactions. */
export class Database {
  readonly #rows = new Map<string, Map<string, Row>>();
  #last: Promise<unknown> = Promise.resolve();

  /** Runs a transaction after the one before. An error undoes its writes. `beforeEach` runs before each statement. */
  transaction<Result>(work: (sql: Sql) => Promise<Result>, beforeEach: () => void): Promise<Result> {
    const ended = this.#last.then(async () => {
      const writes = new Map<string, readonly [table: string, key: string, row: Row]>();
      const read = (table: string, key: string) =>
        writes.get(`${table} ${key}`)?.[2] ?? this.table(table).get(key);
      const statement = async <Value>(run: () => Value): Promise<Value> => {
        beforeEach();
        await new Promise(setImmediate);
        return run();
      };
      const write = (table: string, key: string, row: Row) =>
        void writes.set(`${table} ${key}`, [table, key, row]);
      const result = await work({
        get: (table, key) => statement(() => read(table, key)),
        put: (table, key, row) => statement(() => write(table, key, row)),
        insert: (table, key, row) =>
          statement(() => {
            const isNew = read(table, key) === undefined;
            if (isNew) write(table, key, row);
            return isNew;
          }),
      });
      for (const [table, key, row] of writes.values()) this.table(table).set(key, row);
      return result;
    });
    this.#last = ended.catch(() => undefined);
    return ended;
  }

  table(name: string): Map<string, Row> {
    const table = this.#rows.get(name) ?? new Map<string, Row>();
    this.#rows.set(name, table);
    return table;
  }

  clear(): void {
    this.#rows.clear();
  }
}
