"""Runs the example service with a bug, or as another correct service. Usage: services.py NAME."""

import os
import sys
import threading
import time
import uuid
from datetime import datetime
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[3] / "examples/services/python"))

from bills.__main__ import run  # noqa: E402
from bills.platform import Platform, Unavailable  # noqa: E402
from bills.service import Service, consumer_settings, text  # noqa: E402
from bills.store import TABLES, Store  # noqa: E402
from confluent_kafka import Consumer, KafkaException  # noqa: E402

SWITCHES = {}


def switch(name, **settings):
    """Registers a service: a subclass of one of the three classes, and settings of the consumer."""

    def register(changed):
        SWITCHES[name] = (changed, settings)
        return changed

    return register


# Bugs


@switch("adds-on-every-delivery")
class AddsOnEveryDelivery(Service):
    """Without the inbox, one version must do: both would count twice, which is another bug."""

    def __init__(self, consumer, store, platform):
        super().__init__(consumer, store, platform)
        self._handlers.pop("billing.ledger.entry_posted-v1")
        store.is_new = lambda _: True


@switch("commits-before-work")
class CommitsBeforeWork(Service):
    def take(self, message):
        self._commit(message)
        self._handle(message)


class Batches(Service):
    def take(self, message):
        batch = [message, *self._consumer.consume(49, timeout=0.02)]
        for each in batch:
            if each.error() is None and not self._handle(each):
                return
        self._commit(batch[-1])

    def _commit(self, message):
        try:
            self._consumer.commit(asynchronous=False)
        except KafkaException:
            pass  # The next commit includes these offsets.


@switch("auto-commit-with-a-batch", **{"enable.auto.commit": True, "auto.commit.interval.ms": 100})
class AutoCommitWithBatch(Batches):
    """The client commits what it returned, and half of it may still be in hand."""

    def _commit(self, message):
        pass


@switch("marks-in-another-transaction")
class MarksInAnotherTransaction(Store):
    def once(self, occurrence, effect):
        with self._database:
            is_new = self.is_new(occurrence)
        if is_new:
            with self._database:
                effect(self)


@switch("remembers-in-memory")
class RemembersInMemory(Store):
    def __init__(self, path):
        super().__init__(path)
        self._seen = set()

    def once(self, occurrence, effect):
        if occurrence not in self._seen:
            with self._database:
                effect(self)
            self._seen.add(occurrence)


@switch("stops-at-a-broken-record")
class StopsAtBrokenRecord(Store):
    def park(self, topic, partition, offset, reason):
        raise RuntimeError(f"a record cannot be read: {reason}")


@switch("counts-both-versions")
class CountsBothVersions(Service):
    def _occurrence_of(self, message, event):
        return event["id"]


@switch("counts-by-local-day")
class CountsByLocalDay(Service):
    def _occurrence_of(self, message, event):
        self._day = datetime.fromisoformat(event["occurred_at"]).astimezone().date()
        return super()._occurrence_of(message, event)

    def _entry_posted(self, occurrence, payload):
        account = text(payload["ledger"]["account"]["number"])
        self._store.once(occurrence, lambda store: store.count_entry(f"{account} {self._day}"))


@switch("takes-an-outage-for-not-found")
class TakesOutageForNotFound(Platform):
    def billing_name(self, account):
        try:
            return super().billing_name(account)
        except Unavailable:
            return None


@switch("skips-after-ten-attempts")
class SkipsAfterTenAttempts(Service):
    def _handle(self, message):
        for _ in range(10):
            try:
                self._attempt(message)
                break
            except Unavailable:
                time.sleep(0.05)
        return True


# Correct services


@switch("inbox-in-one-transaction")
class InboxInOneTransaction(Service):
    pass


@switch("generated-columns")
class GeneratedColumns(Store):
    def open_account(self, number):
        row = [number, str(uuid.uuid4()), time.time()]
        self._database.execute("INSERT INTO account VALUES (?, ?, ?) ON CONFLICT DO NOTHING", row)


@switch("batches")
class BatchesWithOneCommit(Batches):
    pass


@switch(
    "commits-by-timer",
    **{"enable.auto.commit": True, "enable.auto.offset.store": False, "auto.commit.interval.ms": 100},
)
class CommitsByTimer(Service):
    def _commit(self, message):
        try:
            self._consumer.store_offsets(message)
        except KafkaException:
            pass  # Another member has the partition, and handles the record again.


@switch("exits-on-errors")
class ExitsOnErrors(Service):
    def _commit(self, message):
        self._consumer.commit(message, asynchronous=False)


@switch("durable-outbox")
class DurableOutbox(Store):
    """Bills are written to an outbox, and sent from there by a thread with a connection of its own."""

    def __init__(self, path, sends=True):
        super().__init__(path)
        if sends:
            threading.Thread(target=lambda: DurableOutbox(path, sends=False).send(), daemon=True).start()

    def keep_bill(self, statement, account, payer):
        row = [statement, account, payer]
        self._database.execute("INSERT INTO outbox VALUES (?, ?, ?) ON CONFLICT DO NOTHING", row)

    def send(self):
        while True:
            with self._database:
                self._database.execute("INSERT INTO bill SELECT * FROM outbox WHERE true ON CONFLICT DO NOTHING")
                self._database.execute("DELETE FROM outbox")
            time.sleep(0.05)


def main(name):
    changed, settings = SWITCHES[name]
    if name == "generated-columns":
        TABLES["account"] = "number TEXT PRIMARY KEY, id TEXT NOT NULL, updated_at REAL NOT NULL"
    if name == "durable-outbox":
        TABLES["outbox"] = TABLES["bill"]

    def chosen(original):
        return changed if issubclass(changed, original) else original

    consumer = Consumer({**consumer_settings(os.environ["KAFKA_BROKERS"]), **settings})
    platform = chosen(Platform)(os.environ["PLATFORM_URL"], os.environ["PLATFORM_KEY"])
    run(chosen(Service)(consumer, chosen(Store)(os.environ["DATABASE"]), platform))


if __name__ == "__main__":
    main(*sys.argv[1:])
