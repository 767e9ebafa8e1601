import { BusbarError, quoted } from '../base/errors.js';

export const defaultInboxTable = 'busbar_inbox';

/**
 * Returns the SQL statements that create the inbox table of {@link postgresStore}. They may run repeatedly. In the
 * package, `src/idempotency/inbox.sql` has them for the default table.
 * @throws BusbarError `invalid-option` for a name unlike `inbox` or `billing.inbox`
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

/** Validates a name, which statements contain unquoted. PostgreSQL truncates names after 63 bytes; the index needs 11. */
function checkTable(table: string): void {
  if (/^([a-z_][a-z0-9_]{0,51}\.)?[a-z_][a-z0-9_]{0,51}$/.test(table)) return;
  throw new BusbarError(
    'invalid-option',
    `The inbox table cannot be called ${quoted(table)}. Use lower case letters, digits and "_", with one "." after a schema.`,
  );
}
