import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { memory } from 'busbar/internal/memory';
import { describe, expect, it, onTestFinished } from 'vitest';
import { accounts, inBulk, type Sql } from '../../examples/bulk-writes.js';
import { openPglite } from '../open-pglite.js';
import { root } from '../read-sources.js';
import { accountCreated, envelope } from '../src/records.js';

describe('the example of bulk writes', () => {
  it('stores each event once, with few statements', async () => {
    const database = await openDatabase('event_id text PRIMARY KEY, number text');
    let statements = 0;
    const sql: Sql = {
      query(statement, values) {
        statements += 1;
        return database.query(statement, values);
      },
    };
    const records = Array.from({ length: 2_000 }, (_, nth) => ({
      key: `account-${nth}`,
      value: envelope(accountCreated, `event-${nth % 1_500}`),
    }));
    const source = memory({ records });
    source.end();
    const running = await accounts(sql).run(source);
    await running.finished;
    expect(await database.query('SELECT count(*)::int AS count FROM accounts')).toMatchObject({
      rows: [{ count: 1_500 }],
    });
    expect(statements).toBeLessThan(100);
    expect(source.deadLetters).toEqual([]);
  });

  it('contains the function that the guide shows', () => {
    const example = readFileSync(join(root, 'examples/bulk-writes.ts'), 'utf8');
    const page = readFileSync(join(root, 'docs/guides/bulk-writes.md'), 'utf8');
    expect(page).toContain(example.slice(example.indexOf('/**\n * Returns a function')));
  });

  it('fails only the rows that the database refuses', async () => {
    const database = await openDatabase('number int CHECK (number <> 3)');
    const insert = 'INSERT INTO accounts SELECT * FROM unnest($1::int[])';
    const store = inBulk((rows: readonly number[]) => database.query(insert, [rows]));
    const results = await Promise.allSettled([1, 2, 3, 4].map(store));
    expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'rejected', 'fulfilled']);
    await store(5);
    expect(await database.query('SELECT number FROM accounts ORDER BY number')).toMatchObject({
      rows: [1, 2, 4, 5].map((number) => ({ number })),
    });
  });
});

async function openDatabase(columns: string) {
  const database = await openPglite();
  onTestFinished(() => database.close());
  await database.exec(`CREATE TABLE accounts (${columns})`);
  return database;
}
