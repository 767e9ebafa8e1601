import { idempotent, postgresStore } from 'busbar/idempotency';
import { Pool, type PoolClient } from 'pg';
import type { HandlerContext } from '../../../src/event.js';
import type { Middleware } from '../../../src/index.js';

/** Effects that handlers wrote in the transactions of their marks, in order. */
export interface Effects {
  /** Creates empty tables. */
  prepare(): Promise<void>;
  /** Numbers of events. */
  written(): Promise<number[]>;
}

/** The effects in a database, seen from outside. */
export function effectsIn(url: string): Effects {
  const query = async (statement: string) => {
    const pool = new Pool({ connectionString: url, max: 1 });
    try {
      return (await pool.query<{ n: number }>(statement)).rows;
    } finally {
      await pool.end();
    }
  };
  return {
    async prepare() {
      await query('DROP TABLE IF EXISTS busbar_inbox');
      await query('DROP TABLE IF EXISTS effects');
      await query('CREATE TABLE effects (place bigserial PRIMARY KEY, n integer NOT NULL)');
    },
    async written() {
      return (await query('SELECT n FROM effects ORDER BY place')).map(({ n }) => n);
    },
  };
}

/** Settings of the inbox for a member. */
export interface MemberInbox {
  readonly middleware: Middleware;
  /** The effect of an event, in the transaction of its mark. */
  write(context: HandlerContext, n: number): Promise<void>;
  close(): Promise<void>;
}

export async function openInbox(url: string): Promise<MemberInbox> {
  const pool = new Pool({ connectionString: url, max: 24 });
  const store = postgresStore<PoolClient>({ pool });
  await store.migrate();
  return {
    middleware: idempotent({ store }),
    async write(context, n) {
      await store.transaction(context).query('INSERT INTO effects (n) VALUES ($1)', [n]);
    },
    close: () => pool.end(),
  };
}
