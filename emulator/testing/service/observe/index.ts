import { BusbarError, firstLine, quoted } from 'busbar/base';
import type { Observed, Row } from '../../verify/households.js';
import type { ObservedTable, ServiceContract } from '../contract.js';
import { fill, type Values } from '../placeholders.js';
import { outputOf } from '../run-program.js';
import { openPool, type PostgresPool, querySqlite } from './databases.js';
import { rowsFrom } from './rows.js';

/** The address of a table that does not respond, or with an error of the server: it may do so later. */
export class Unresponsive extends Error {}

export class Observer {
  readonly #tables: ServiceContract['observe'];
  readonly #folder: string;
  /** Connections to databases by address, opened when first read. */
  readonly #pools = new Map<string, PostgresPool>();

  constructor({ observe }: ServiceContract, folder: string) {
    this.#tables = observe;
    this.#folder = folder;
  }

  /** Reads all tables. @throws BusbarError `invalid-option` with the name of a table that cannot be read */
  async read(values: Values): Promise<Observed> {
    const entries = Object.entries(this.#tables).map(async ([name, table]) => {
      try {
        return [name, await this.#rows(table, values)] as const;
      } catch (cause) {
        const reason = cause instanceof Error ? firstLine(cause) : String(cause);
        const message = `Table ${quoted(name)} of "observe" cannot be read: ${reason.replace(/\.$/, '')}.`;
        throw new BusbarError('invalid-option', message, { cause });
      }
    });
    return Object.fromEntries(await Promise.all(entries));
  }

  async close(): Promise<void> {
    await Promise.allSettled([...this.#pools.values()].map((pool) => pool.end()));
  }

  async #rows(table: ObservedTable, values: Values): Promise<Row[]> {
    const { http, sqlite, postgres, command, query = '' } = table;
    if (http !== undefined) return rowsFrom(await fetchJson(fill(http, values)), table);
    if (command !== undefined) {
      const output = await outputOf(command, values, { cwd: this.#folder, timeout: timeoutMs });
      return rowsFrom(parse(output, quoted(command[0] ?? '')), table);
    }
    const sql = fill(query, values);
    if (sqlite !== undefined) return rowsFrom(querySqlite(fill(sqlite, values), sql), table);
    const url = fill(postgres ?? '', values);
    const pool = this.#pools.get(url) ?? openPool(url);
    this.#pools.set(url, pool);
    return rowsFrom((await pool.query(sql)).rows, table);
  }
}

const timeoutMs = 10_000;

async function fetchJson(url: string): Promise<unknown> {
  if (!URL.canParse(url)) throw new Error(`${quoted(url)} is not a URL`);
  const response = await fetch(url, { signal: AbortSignal.timeout(timeoutMs) }).catch((error: unknown) => {
    const { name, cause } = error as Error;
    const { code, message } = (cause ?? error) as NodeJS.ErrnoException;
    throw new Unresponsive(
      `${url} returns nothing (${name === 'TimeoutError' ? 'timeout' : (code ?? message)})`,
    );
  });
  if (!response.ok) {
    const message = `${url} returns status ${response.status}`;
    throw response.status < 500 ? new Error(message) : new Unresponsive(message);
  }
  return parse(await response.text(), url);
}

function parse(text: string, source: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    throw new Error(`${source} does not return JSON`);
  }
}
