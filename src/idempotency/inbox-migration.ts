import { BusbarError } from '../base/errors.js';
import { quoted } from '../base/quoted.js';

export const defaultInboxTable = 'busbar_inbox';

/**
 * The statements that make the inbox table of {@link postgresStore}, each of which may be run again.
 * `src/idempotency/inbox.sql` in the package holds the same for the default table.
 * @throws BusbarError `invalid-option` for a name that is not like `inbox` or `billing.inbox`.
 */
export function inboxMigration(table: string = defaultInboxTable): readonly string[] {
  checkTable(table);
  const index = `${table.slice(table.indexOf('.') + 1)}_handled_at`;
  return [
    `CREATE TABLE IF NOT EXISTS ${table} (
  consumer text NOT NULL,
  handler text NOT NULL,
  event text NOT NULL,
  handled_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (consumer, handler, event)
)`,
    `CREATE INDEX IF NOT EXISTS ${index} ON ${table} (handled_at)`,
  ];
}

/** A name that is put into statements as it is. PostgreSQL cuts names after 63 bytes; the index needs eleven of them. */
function checkTable(table: string): void {
  if (/^([a-z_][a-z0-9_]{0,51}\.)?[a-z_][a-z0-9_]{0,51}$/.test(table)) return;
  throw new BusbarError(
    'invalid-option',
    `The inbox table cannot be called ${quoted(table)}: take lower case letters, digits and "_", with one "." after a schema.`,
  );
}
