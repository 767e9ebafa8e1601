"""HTTP: `/readyz`, and the tables at `/state/<table>`. Listens on this machine only, because the tables are personal data."""

import json
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from .store import TABLES, rows


def serve(port, database, ready):
    class Handler(BaseHTTPRequestHandler):
        def do_GET(self):
            _, _, table = self.path.partition("/state/")
            if self.path == "/readyz":
                self._answer(200 if ready.is_set() else 503, {"ready": ready.is_set()})
            elif table in TABLES:
                self._answer(200, rows(database, table))
            else:
                self._answer(404, {})

        def _answer(self, status, body):
            content = json.dumps(body).encode()
            self.send_response(status)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(content)))
            self.end_headers()
            self.wfile.write(content)

        def log_message(self, *_):
            pass

    server = ThreadingHTTPServer(("127.0.0.1", port), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
