"""What the two Python programs share: the messages, the checks on what came back, and how a check is reported."""

import sys
import time

MESSAGES = 1000
PARTITIONS = 3


def key(number):
    return b"key-%d" % (number % 17)


def value(number):
    return b"%06d " % number + b"compressible " * 20


class Received:
    """Takes records as they arrive; fails on a changed one and on one that is out of order."""

    def __init__(self):
        self.last = {}
        self.counts = dict.fromkeys(range(PARTITIONS), 0)
        self.numbers = set()

    def add(self, partition, record_key, record_value):
        number = int(record_value[:6])
        assert record_value == value(number), "a value is not as it was sent"
        assert record_key == key(number), "a key is not as it was sent"
        assert number > self.last.get(partition, -1), f"out of order in partition {partition}"
        self.last[partition] = number
        self.counts[partition] += 1
        self.numbers.add(number)


def before(deadline, otherwise):
    assert time.monotonic() < deadline, otherwise


def deadline():
    return time.monotonic() + 20


def check(name, run, *args):
    try:
        run(*args)
        print(f"ok {name}", flush=True)
    except Exception as error:
        print(f"not ok {name}: {type(error).__name__} {error}", flush=True)


def arguments():
    return sys.argv[1], sys.argv[2]
