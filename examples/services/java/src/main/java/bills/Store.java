package bills;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The tables in SQLite. Each record takes effect in one transaction with its entry in the inbox. */
public class Store {
  private static final Map<String, String> TABLES = Map.of(
      "account", "number TEXT PRIMARY KEY",
      "ledger", "account TEXT PRIMARY KEY, entries INTEGER NOT NULL",
      "bill", "statement INTEGER PRIMARY KEY, account TEXT NOT NULL, payer TEXT",
      "inbox", "occurrence TEXT PRIMARY KEY",
      "parked", "topic TEXT, part INTEGER, position INTEGER, reason TEXT, PRIMARY KEY (topic, part, position)");

  /** Writes that belong together. */
  public interface Effect {
    void apply() throws SQLException;
  }

  private final Connection database;

  public Store(String path) throws SQLException {
    database = open(path);
    update("PRAGMA journal_mode = WAL");
    for (var table : TABLES.entrySet()) {
      update("CREATE TABLE IF NOT EXISTS " + table.getKey() + " (" + table.getValue() + ")");
    }
  }

  /** Runs the effect unless the occurrence is in the inbox: redelivered, or handled in another version. */
  public void once(String occurrence, Effect effect) throws SQLException {
    transaction(() -> {
      if (isNew(occurrence)) effect.apply();
    });
  }

  protected final boolean isNew(String occurrence) throws SQLException {
    return update("INSERT INTO inbox VALUES (?) ON CONFLICT DO NOTHING", occurrence) == 1;
  }

  void openAccount(String number) throws SQLException {
    update("INSERT INTO account VALUES (?) ON CONFLICT DO NOTHING", number);
  }

  void countEntry(String account) throws SQLException {
    update("INSERT INTO ledger VALUES (?, 1) ON CONFLICT (account) DO UPDATE SET entries = entries + 1", account);
  }

  void keepBill(long statement, String account, String payer) throws SQLException {
    update("INSERT INTO bill VALUES (?, ?, ?) ON CONFLICT DO NOTHING", statement, account, payer);
  }

  /** Keeps the position of a record that no retry can handle, for a person to look at. */
  public void park(String topic, int partition, long offset, String reason) throws SQLException {
    update("INSERT INTO parked VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING", topic, partition, offset, reason);
  }

  protected final void transaction(Effect effect) throws SQLException {
    database.setAutoCommit(false);
    try {
      effect.apply();
      database.commit();
    } catch (SQLException error) {
      database.rollback();
      throw error;
    } finally {
      database.setAutoCommit(true);
    }
  }

  private int update(String sql, Object... values) throws SQLException {
    try (var statement = database.prepareStatement(sql)) {
      for (int index = 0; index < values.length; index++) statement.setObject(index + 1, values[index]);
      statement.execute();
      return statement.getUpdateCount();
    }
  }

  /** Reads a table through a connection of its own, for other threads. */
  static List<Map<String, Object>> rows(String path, String table) throws SQLException {
    if (!TABLES.containsKey(table)) throw new SQLException("No such table.");
    try (var connection = open(path); var rows = connection.createStatement().executeQuery("SELECT * FROM " + table)) {
      var found = new ArrayList<Map<String, Object>>();
      while (rows.next()) {
        var row = new LinkedHashMap<String, Object>();
        for (int column = 1; column <= rows.getMetaData().getColumnCount(); column++) {
          row.put(rows.getMetaData().getColumnName(column), rows.getObject(column));
        }
        found.add(row);
      }
      return found;
    }
  }

  private static Connection open(String path) throws SQLException {
    return DriverManager.getConnection("jdbc:sqlite:" + path + "?busy_timeout=5000");
  }
}
