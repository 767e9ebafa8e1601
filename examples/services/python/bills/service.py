"""The consumer: handles a record, then commits its offset."""

import json
import logging
import sqlite3
import threading

from confluent_kafka import KafkaException

from .platform import Unavailable

log = logging.getLogger(__name__)


def consumer_settings(brokers):
    return {
        "bootstrap.servers": brokers,
        "group.id": "bills",
        "auto.offset.reset": "earliest",
        "enable.auto.commit": False,
    }


class Service:
    """Reads the topic until `stop`. A record comes again after a crash, and takes effect once."""

    def __init__(self, consumer, store, platform):
        self.ready = threading.Event()
        self._stopping = threading.Event()
        self._consumer = consumer
        self._store = store
        self._platform = platform
        self._handlers = {
            "account.created-v1": self._account_created,
            "billing.ledger.entry_posted-v1": self._entry_posted,
            "billing.ledger.entry_posted-v2": self._entry_posted,
            "billing.final_bill-v1": self._final_bill,
        }

    def stop(self):
        self._stopping.set()

    def run(self):
        self._consumer.subscribe(["platform.events"], on_assign=lambda *_: self.ready.set())
        try:
            while not self._stopping.is_set():
                message = self._consumer.poll(0.1)
                if message is None:
                    continue
                if message.error():
                    log.warning("kafka reports %s", message.error().name())
                    continue
                self.take(message)
        finally:
            self._consumer.close()

    def take(self, message):
        if self._handle(message):
            self._commit(message)

    def _handle(self, message):
        """Retries for about a minute, then raises. Returns whether the record is done: it is not if `stop` ends a wait."""
        for delay in (0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 20, None):
            try:
                self._attempt(message)
                return True
            except (sqlite3.OperationalError, Unavailable) as error:
                if delay is None:
                    raise
                log.warning("a record waits for a retry: %s", error)
                if self._stopping.wait(delay):
                    return False

    def _attempt(self, message):
        try:
            event = json.loads(message.value())
            handler = self._handlers.get(f"{event['event_type']}-{event['version']}")
            if handler is not None:
                handler(self._occurrence_of(message, event), event["payload"])
        except (KeyError, TypeError, ValueError) as error:
            position = (message.topic(), message.partition(), message.offset())
            log.warning("parked the record at %s: %s", position, type(error).__name__)
            self._store.park(*position, type(error).__name__)

    def _occurrence_of(self, message, event):
        """Returns the id that all versions of one occurrence share."""
        return dict(message.headers() or []).get("occurrence-id", event["id"].encode()).decode()

    def _commit(self, message):
        try:
            self._consumer.commit(message, asynchronous=False)
        except KafkaException as error:
            # The next commit includes this offset. If a rebalance refused it, the record comes again.
            log.warning("a commit failed: %s", error.args[0].name())

    def _account_created(self, occurrence, payload):
        number = text(payload["account_number"])
        self._store.once(occurrence, lambda store: store.open_account(number))

    def _entry_posted(self, occurrence, payload):
        account = text(payload["ledger"]["account"]["number"])
        self._store.once(occurrence, lambda store: store.count_entry(account))

    def _final_bill(self, occurrence, payload):
        account, statement = text(payload["account_number"]), whole(payload["statement_id"])
        payer = self._platform.billing_name(account)
        self._store.once(occurrence, lambda store: store.keep_bill(statement, account, payer))


def text(value):
    if not isinstance(value, str):
        raise TypeError("not a text")
    return value


def whole(value):
    if not isinstance(value, int):
        raise TypeError("not a whole number")
    return value
