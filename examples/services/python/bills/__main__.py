"""Runs the service until SIGTERM. A failure that retries do not end exits with code 1, so that a supervisor restarts it."""

import logging
import os
import signal

from .platform import Platform
from .service import Service
from .web import serve


def main():
    logging.basicConfig(level=logging.INFO, format="%(levelname)s %(message)s")
    database = os.environ["DATABASE"]
    service = Service(
        brokers=os.environ["KAFKA_BROKERS"],
        database=database,
        platform=Platform(os.environ["PLATFORM_URL"], os.environ["PLATFORM_KEY"]),
    )
    for name in (signal.SIGTERM, signal.SIGINT):
        signal.signal(name, lambda *_: service.stop())
    serve(int(os.environ["PORT"]), database, service.ready)
    service.run()


if __name__ == "__main__":
    main()
