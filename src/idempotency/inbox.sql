-- The inbox table of postgresStore(), as inboxMigration() has it. May be run again.
CREATE TABLE IF NOT EXISTS busbar_inbox (
  consumer text NOT NULL,
  handler text NOT NULL,
  event text NOT NULL,
  handled_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (consumer, handler, event)
);
CREATE INDEX IF NOT EXISTS busbar_inbox_handled_at ON busbar_inbox (handled_at);
