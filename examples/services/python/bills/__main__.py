"""Runs the service until SIGTERM. A failure that retries do not end exits with code 1, so that a supervisor restarts it."""

import logging
import os
import signal

from confluent_kafka import Consumer

from .platform import Platform
from .service import Service, consumer_settings
from .store import Store
from .web import serve


def main():
    consumer = Consumer(consumer_settings(os.environ["KAFKA_BROKERS"]))
    platform = Platform(os.environ["PLATFORM_URL"], os.environ["PLATFORM_KEY"])
    run(Service(consumer, Store(os.environ["DATABASE"]), platform))


def run(service):
    logging.basicConfig(level=logging.INFO, format="%(levelname)s %(message)s")
    for name in (signal.SIGTERM, signal.SIGINT):
        signal.signal(name, lambda *_: service.stop())
    serve(int(os.environ["PORT"]), os.environ["DATABASE"], service.ready)
    service.run()


if __name__ == "__main__":
    main()
