"""The tables in SQLite. Each record takes effect in one transaction with its entry in the inbox."""

import sqlite3

TABLES = {
    "account": "number TEXT PRIMARY KEY",
    "ledger": "account TEXT PRIMARY KEY, entries INTEGER NOT NULL",
    "bill": "statement INTEGER PRIMARY KEY, account TEXT NOT NULL, payer TEXT",
    "inbox": "occurrence TEXT PRIMARY KEY",
    "parked": "topic TEXT, part INTEGER, position INTEGER, reason TEXT, PRIMARY KEY (topic, part, position)",
}


class Store:
    def __init__(self, path):
        self._database = sqlite3.connect(path)
        self._database.execute("PRAGMA journal_mode = WAL")
        for name, columns in TABLES.items():
            self._database.execute(f"CREATE TABLE IF NOT EXISTS {name} ({columns})")

    def once(self, occurrence, effect):
        """Runs the effect unless the occurrence is in the inbox: redelivered, or handled in another version."""
        with self._database:
            if self.is_new(occurrence):
                effect(self)

    def is_new(self, occurrence):
        statement = "INSERT INTO inbox VALUES (?) ON CONFLICT DO NOTHING"
        return self._database.execute(statement, [occurrence]).rowcount == 1

    def open_account(self, number):
        self._database.execute("INSERT INTO account VALUES (?) ON CONFLICT DO NOTHING", [number])

    def count_entry(self, account):
        self._database.execute(
            "INSERT INTO ledger VALUES (?, 1) ON CONFLICT (account) DO UPDATE SET entries = entries + 1", [account]
        )

    def keep_bill(self, statement, account, payer):
        self._database.execute("INSERT INTO bill VALUES (?, ?, ?) ON CONFLICT DO NOTHING", [statement, account, payer])

    def park(self, topic, partition, offset, reason):
        """Keeps the position of a record that no retry can handle, for a person to look at."""
        with self._database:
            row = [topic, partition, offset, reason]
            self._database.execute("INSERT INTO parked VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING", row)


def rows(path, table):
    """Reads a table through a connection of its own, for other threads."""
    database = sqlite3.connect(path)
    try:
        database.row_factory = sqlite3.Row
        return [dict(row) for row in database.execute(f"SELECT * FROM {table}")]
    finally:
        database.close()
