package bills;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.sql.SQLException;
import java.util.Map;
import java.util.function.BooleanSupplier;

/** HTTP: `/readyz`, and the tables at `/state/<table>`. Listens on this machine only, because the tables are personal data. */
final class Web {
  static void serve(int port, String database, BooleanSupplier isReady) throws IOException {
    var server = HttpServer.create(new InetSocketAddress(InetAddress.getByName("127.0.0.1"), port), 0);
    server.createContext("/readyz", exchange -> {
      var ready = isReady.getAsBoolean();
      respond(exchange, ready ? 200 : 503, Map.of("ready", ready));
    });
    server.createContext("/state/", exchange -> {
      try {
        respond(exchange, 200, Store.rows(database, exchange.getRequestURI().getPath().substring("/state/".length())));
      } catch (SQLException error) {
        respond(exchange, 404, Map.of());
      }
    });
    // The threads of the server inherit that they do not keep the process alive.
    var thread = new Thread(server::start);
    thread.setDaemon(true);
    thread.start();
  }

  private static void respond(HttpExchange exchange, int status, Object body) throws IOException {
    var content = new ObjectMapper().writeValueAsBytes(body);
    exchange.getResponseHeaders().set("Content-Type", "application/json");
    exchange.sendResponseHeaders(status, content.length);
    exchange.getResponseBody().write(content);
    exchange.close();
  }
}
