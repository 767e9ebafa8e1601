"""librdkafka under faults of the embedded broker. Usage: broker_faults.py BOOTSTRAP_SERVERS BROKER_URL."""

import json
import threading
from urllib.request import Request, urlopen

from confluent_kafka import Consumer, KafkaException, Producer

from round_trip import arguments, before, check, deadline

SERVERS, URL = arguments()


def call(method, path, body=None):
    data = None if body is None else json.dumps(body).encode()
    request = Request(URL + path, data, {"Content-Type": "application/json"}, method=method)
    with urlopen(request, timeout=20) as response:
        return json.load(response)


def member(group):
    consumer = Consumer(
        {
            "bootstrap.servers": SERVERS,
            "group.id": group,
            "auto.offset.reset": "earliest",
            "enable.auto.commit": False,
        }
    )
    consumer.subscribe([group])
    return consumer


def send(topic, *values):
    producer = Producer({"bootstrap.servers": SERVERS})
    for value in values:
        producer.produce(topic, value.encode())
    assert producer.flush(20) == 0, "not everything was sent"


def receive(consumer):
    end = deadline()
    while True:
        before(end, "nothing was received")
        message = consumer.poll(0.2)
        if message is not None and message.error() is None:
            return message


def commit(consumer, message):
    try:
        consumer.commit(message, asynchronous=False)
    except KafkaException:
        pass  # Its response never comes.


def lost_commit(group, at, expected):
    """Commits a record, loses the response, and returns what the next member of the group receives."""
    send(group, "a", "b")
    hold = call("POST", "/holds", {"on": "OffsetCommit", "group": group, "at": at})["id"]
    killed = member(group)
    record = receive(killed)
    committing = threading.Thread(target=commit, args=(killed, record))
    committing.start()
    assert call("GET", f"/holds/{hold}?wait=10s")["state"] == "reached", "no commit was held"
    # The process dies here: it commits nothing more, and leaves the group.
    dead = call("POST", "/faults", {"on": "OffsetCommit", "group": group, "cut": "before"})["id"]
    call("POST", f"/holds/{hold}/release", {"answer": "drop"})
    call("POST", f"/groups/{group}/evict", {})
    successor = member(group)
    value = receive(successor).value().decode()
    assert value == expected, f"expected {expected}, received {value}"
    call("DELETE", f"/faults/{dead}")
    committing.join()
    for consumer in (killed, successor):
        consumer.close()


def refused_commit(group):
    send(group, "a")
    rule = {"on": "OffsetCommit", "group": group, "error": "NOT_COORDINATOR", "times": 1}
    call("POST", "/faults", rule)
    consumer = member(group)
    record = receive(consumer)
    end = deadline()
    while True:
        before(end, "no commit was accepted")
        try:
            consumer.commit(record, asynchronous=False)
            break
        except KafkaException:
            pass
    applied = [fault["did"] for fault in call("GET", "/faults/applied")["applied"]]
    assert "error NOT_COORDINATOR" in applied, applied
    consumer.close()


check("a commit whose response is lost: the record comes once", lost_commit, "python-answer", "answer", "b")
check("a commit that is lost: the record comes again", lost_commit, "python-request", "request", "a")
check("a commit is repeated after NOT_COORDINATOR", refused_commit, "python-refused")
