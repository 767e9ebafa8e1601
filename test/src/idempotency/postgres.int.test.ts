import type { EventEmitter } from 'node:events';
import { readFileSync } from 'node:fs';
import { createConsumer, type HandlerContext } from 'busbar';
import {
  idempotent,
  inboxMigration,
  type PostgresStore,
  postgresStore,
  type SqlClient,
} from 'busbar/idempotency';
import { memory } from 'busbar/internal/memory';
import pg from 'pg';
import { describe, expect, it } from 'vitest';
import { deliver } from '../deliver.js';
import { logLines } from '../log-lines.js';
import { accountCreated, envelope, headersOf, recordOf } from '../records.js';
import { databases, openServedPglite, openServer, server } from './inbox-databases.js';
import type { ServedPglite } from './serve-pglite.js';

const record = (id: string) => recordOf(envelope(accountCreated, id), headersOf(accountCreated));

type Inbox = PostgresStore<SqlClient>;

function consumerOf(inbox: Inbox, handler: (sql: SqlClient, context: HandlerContext) => Promise<unknown>) {
  const consumer = createConsumer({ logger: logLines() });
  consumer.use(idempotent({ store: inbox }));
  consumer.on('account.created', 'v1', async (_event, context) => {
    await handler(inbox.transaction(context), context);
  });
  return consumer;
}

const write = (sql: SqlClient) => sql.query('INSERT INTO letters DEFAULT VALUES');

describe.each(databases)('an inbox in %s', (_, open) => {
  const setUp = async () => {
    const database = await open();
    await database.query('CREATE TABLE letters (id serial)');
    const inbox: Inbox = postgresStore({ pool: database.pool });
    await inbox.migrate();
    const count = async (table: string) => (await database.query(`SELECT 1 FROM ${table}`)).length;
    return { ...database, inbox, counts: async () => [await count('letters'), await count('busbar_inbox')] };
  };

  it('applies each event once, for each handler and consumer', async () => {
    const { inbox, counts } = await setUp();
    const consumer = consumerOf(inbox, write);
    for (const id of ['a', 'b', 'a']) await deliver(consumer, record(id));
    expect(await counts()).toEqual([2, 2]);
    await deliver(consumer, record('a'), { handler: 'other' });
    await deliver(consumer, record('a'), { consumer: 'other' });
    expect(await counts()).toEqual([4, 4]);
  });

  it('rolls back mark and effect of a failed handler, and a retry succeeds', async () => {
    const { inbox, counts } = await setUp();
    const consumer = consumerOf(inbox, async (sql, { attempt }) => {
      await write(sql);
      if (attempt === 1) throw new Error('no');
    });
    await expect(deliver(consumer, record('a'))).rejects.toThrow('no');
    expect(await counts()).toEqual([0, 0]);
    await deliver(consumer, record('a'), { attempt: 2 });
    expect(await counts()).toEqual([1, 1]);
  });

  it('rolls back when a handler swallows a failed statement', async () => {
    const { inbox, counts } = await setUp();
    const consumer = consumerOf(inbox, async (sql) => {
      await write(sql);
      await sql.query('SELECT 1 FROM nowhere').catch(() => undefined);
    });
    await expect(deliver(consumer, record('a'))).rejects.toThrow();
    expect(await counts()).toEqual([0, 0]);
  });

  it('rolls back an abandoned handler', async () => {
    const { inbox, counts } = await setUp();
    const abort = new AbortController();
    const consumer = consumerOf(inbox, async (sql) => {
      await write(sql);
      abort.abort();
    });
    await expect(deliver(consumer, record('a'), { signal: abort.signal })).rejects.toThrow('aborted');
    expect(await counts()).toEqual([0, 0]);
  });

  it('calls no handler whose attempt was abandoned before', async () => {
    const { inbox, counts } = await setUp();
    let calls = 0;
    const consumer = consumerOf(inbox, () => Promise.resolve(calls++));
    const aborted = { signal: AbortSignal.abort() };
    await expect(deliver(consumer, record('a'), aborted)).rejects.toThrow('aborted');
    expect(calls).toBe(0);
    expect(await counts()).toEqual([0, 0]);
  });

  it('applies an event that is in all partitions once', async () => {
    const { inbox, counts } = await setUp();
    const transport = memory({
      partitions: 5,
      records: [0, 1, 2, 3, 4].map((partition) => ({ partition, value: envelope(accountCreated, 'a') })),
    });
    transport.end();
    const running = await consumerOf(inbox, write).run(transport);
    await running.finished;
    expect(running.counts).toMatchObject({ handled: 5, deadLettered: 0 });
    expect(await counts()).toEqual([1, 1]);
  });

  it('accepts any id', async () => {
    const { inbox, counts } = await setUp();
    const ids = ['x'.repeat(100_000), 'nul\0', '\ud800', "'; DROP TABLE letters --"];
    const consumer = consumerOf(inbox, write);
    for (const id of [...ids, ...ids]) await deliver(consumer, record(id));
    expect(await counts()).toEqual([4, 4]);
  });

  it('deletes marks of events handled before an instant', async () => {
    const { inbox, counts, query } = await setUp();
    for (const id of ['a', 'b', 'c']) await deliver(consumerOf(inbox, write), record(id));
    await query("UPDATE busbar_inbox SET handled_at = '2026-03-01T00:00:00Z' WHERE event <> 'c'");
    expect(await inbox.deleteMarksBefore(new Date('2026-03-01T00:00:00Z'))).toBe(0);
    expect(await inbox.deleteMarksBefore(new Date('2026-03-01T00:00:00.001Z'))).toBe(2);
    expect(await counts()).toEqual([3, 1]);
  });

  it('creates its table concurrently, and under another name', async () => {
    const { inbox, pool, query } = await setUp();
    await query('DROP TABLE busbar_inbox');
    await Promise.all(Array.from({ length: 5 }, () => inbox.migrate()));
    await query('CREATE SCHEMA IF NOT EXISTS mail');
    const other: Inbox = postgresStore({ pool, table: 'mail.inbox' });
    await other.migrate();
    await deliver(consumerOf(other, write), record('a'));
    expect(await query('SELECT event FROM mail.inbox')).toEqual([{ event: 'a' }]);
    await query('DROP SCHEMA mail CASCADE');
  });
});

describe('an inbox whose connections PostgreSQL ends', () => {
  const setUp = async (
    act: (served: ServedPglite, context: HandlerContext, sql: EventEmitter) => unknown,
  ) => {
    const { pool, query, served } = await openServedPglite();
    await query('CREATE TABLE letters (id serial)');
    for (const statement of inboxMigration()) await query(statement);
    const inbox: Inbox = postgresStore({ pool });
    const consumer = consumerOf(inbox, async (sql, context) => {
      await write(sql);
      await act(served, context, sql as unknown as EventEmitter);
    });
    const letters = async () => (await query('SELECT 1 FROM letters')).length;
    return { pool, served, consumer, letters };
  };
  /** Unlike `once` of `node:events` it listens to no error. */
  const next = (emitter: EventEmitter, event: string) =>
    new Promise((resolve) => emitter.once(event, resolve));

  it('survives a connection that ends while it is opened', async () => {
    const { served, consumer, letters } = await setUp(() => undefined);
    served.terminateWithNextAnswer();
    await expect(deliver(consumer, record('a'))).rejects.toThrow();
    await deliver(consumer, record('a'), { attempt: 2 });
    expect(await letters()).toBe(1);
  });

  it('survives a connection that ends between statements, and discards it', async () => {
    const { pool, consumer, letters } = await setUp(async (served, { attempt }, sql) => {
      if (attempt > 1) return;
      const ended = next(sql, 'end');
      served.terminate();
      await ended;
    });
    await expect(deliver(consumer, record('a'))).rejects.toThrow();
    await deliver(consumer, record('a'), { attempt: 2 });
    expect(await letters()).toBe(1);
    expect(pool.totalCount).toBe(pool.idleCount);
  });

  it('survives a connection that ends with the response to COMMIT', async () => {
    const { consumer, letters } = await setUp((served) => served.terminateWithNextAnswer());
    await deliver(consumer, record('a'));
    await deliver(consumer, record('a'), { attempt: 2 });
    expect(await letters()).toBe(1);
  });

  it('survives the end of an idle connection in the pool', async () => {
    const { pool, served, consumer, letters } = await setUp(() => undefined);
    await deliver(consumer, record('a'));
    const removed = next(pool, 'remove');
    served.terminate();
    await removed;
    await deliver(consumer, record('b'));
    expect(await letters()).toBe(2);
  });

  it('accepts a pool that returns promises, and leaves no listeners', async () => {
    const { pool } = await setUp(() => undefined);
    const listeners = async () => {
      const client = await pool.connect();
      const count = client.listenerCount('error');
      client.release();
      return count;
    };
    const before = await listeners();
    const inbox: Inbox = postgresStore({ pool: { connect: () => pool.connect() } });
    for (const id of ['a', 'b']) await deliver(consumerOf(inbox, write), record(id));
    expect(await listeners()).toBe(before);
  });
});

describe.runIf(server !== undefined)('an inbox on two connections', () => {
  const setUp = async () => {
    const { pool, query } = await openServer(server!);
    await query('CREATE TABLE letters (id serial)');
    const inbox: Inbox = postgresStore({ pool });
    await inbox.migrate();
    /** Resolves when a statement waits for another transaction. */
    const blocked = async () => {
      const waits = "SELECT 1 FROM pg_stat_activity WHERE wait_event_type = 'Lock'";
      while ((await query(waits)).length === 0) await new Promise(setImmediate);
    };
    return { pool, query, inbox, blocked };
  };

  it.each([
    ['skips when the first commits', undefined, 1],
    ['handles when the first rolls back', new Error('no'), 2],
  ])('makes a duplicate wait on the unique index: it %s', async (_, error, expected) => {
    const { inbox, query, blocked } = await setUp();
    let calls = 0;
    const consumer = consumerOf(inbox, async (sql) => {
      await write(sql);
      if (++calls > 1) return;
      await blocked();
      if (error !== undefined) throw error;
    });
    await consumer.verdictOn(record('a'));
    const outcomes = await Promise.allSettled([
      deliver(consumer, record('a')),
      deliver(consumer, record('a')),
    ]);
    expect(outcomes.filter(({ status }) => status === 'rejected')).toHaveLength(error === undefined ? 0 : 1);
    expect(calls).toBe(expected);
    expect(await query('SELECT 1 FROM letters')).toHaveLength(1);
  });

  it('survives 1,000 terminated connections and applies each event once', async () => {
    const { inbox, query, pool } = await setUp();
    const consumer = consumerOf(inbox, write);
    const administrator = new pg.Client(server);
    await administrator.connect();
    const { rows } = await administrator.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
    let events = 0;
    let ended = 0;
    const handleNext = async () => {
      while (ended < 1_000) {
        const id = String(events++);
        for (let attempt = 1, isDone = false; !isDone; attempt++) {
          isDone = await deliver(consumer, record(id), { attempt }).then(
            () => true,
            () => false,
          );
        }
      }
    };
    const end = async () => {
      while (ended < 1_000) {
        const others = `backend_type = 'client backend' AND pid <> ${rows[0]!.pid}`;
        const { rowCount } = await administrator.query(
          `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE ${others}`,
        );
        ended += rowCount ?? 0;
      }
    };
    await Promise.all([end(), ...Array.from({ length: pool.options.max }, handleNext)]);
    await administrator.end();
    expect(await query('SELECT 1 FROM letters')).toHaveLength(events);
  }, 120_000);
});

describe('the inbox', () => {
  const nowhere = { transaction: () => Promise.reject(new Error('nowhere')) };

  it('ships its migration as a file in the package', () => {
    const file = readFileSync(new URL('../../../src/idempotency/inbox.sql', import.meta.url), 'utf8');
    expect(file.split('\n').slice(1).join('\n')).toBe(
      inboxMigration()
        .map((statement) => `${statement};\n`)
        .join(''),
    );
  });

  it('rejects a table name with SQL in it', () => {
    for (const table of ['', 'a b', 'inbox; DROP TABLE x', '"inbox"', 'a.b.c', 'x'.repeat(64)]) {
      expect(() => postgresStore({ pool: nowhere, table })).toThrow('The inbox table cannot be called');
    }
  });

  it('throws no-transaction for a handler without the middleware', async () => {
    const inbox: Inbox = postgresStore({ pool: nowhere });
    const consumer = createConsumer();
    consumer.on('account.created', 'v1', (_event, context) => void inbox.transaction(context));
    await expect(deliver(consumer, record('a'))).rejects.toMatchObject({ code: 'no-transaction' });
  });

  it('sets no mark while the database is unavailable', async () => {
    const consumer = consumerOf(postgresStore({ pool: nowhere }), write);
    await expect(deliver(consumer, record('a'))).rejects.toThrow('nowhere');
  });
});
