"""kafka-python, a client in plain Python. Usage: kafka_python.py BOOTSTRAP_SERVERS PREFIX."""

import importlib.util

from kafka import KafkaAdminClient, KafkaConsumer, KafkaProducer, TopicPartition
from kafka.admin import ConfigResource, ConfigResourceType, NewTopic

from round_trip import MESSAGES, PARTITIONS, Received, arguments, before, check, deadline, key, value

SERVERS, PREFIX = arguments()
# A codec needs its library in the client; gzip is in Python itself.
LIBRARIES = {"snappy": "snappy", "lz4": "lz4", "zstd": "zstandard"}


def round_trip(codec):
    topic = f"{PREFIX}-{codec}"
    admin = KafkaAdminClient(bootstrap_servers=SERVERS)
    admin.create_topics([NewTopic(topic, PARTITIONS, 1)])
    admin.close()
    producer = KafkaProducer(bootstrap_servers=SERVERS, compression_type=None if codec == "none" else codec, linger_ms=20)
    sent = [producer.send(topic, value(number), key(number)) for number in range(MESSAGES)]
    for future in sent:
        future.get(20)
    producer.close()

    consumer = member(topic)
    consumer.subscribe([topic])
    received = Received()
    end = deadline()
    while len(received.numbers) < MESSAGES:
        before(end, f"received {len(received.numbers)} of {MESSAGES}")
        for records in consumer.poll(500).values():
            for record in records:
                received.add(record.partition, record.key, record.value)
    consumer.commit()
    consumer.close()

    reader = member(topic)
    for partition, count in received.counts.items():
        committed = reader.committed(TopicPartition(topic, partition))
        assert (committed or 0) == count, f"committed of {partition}: expected {count}, got {committed}"
    reader.close()


def member(group):
    return KafkaConsumer(
        bootstrap_servers=SERVERS, group_id=group, auto_offset_reset="earliest", enable_auto_commit=False
    )


def administration():
    admin = KafkaAdminClient(bootstrap_servers=SERVERS)
    topic = f"{PREFIX}-admin"
    admin.create_topics([NewTopic(topic, 2, 1, topic_configs={"retention.ms": "1000"})])
    assert topic in admin.list_topics()
    described = admin.describe_configs([ConfigResource(ConfigResourceType.TOPIC, topic)])
    configs = {entry[0]: entry[1] for entry in described[0].resources[0][4]}
    assert configs["retention.ms"] == "1000", configs["retention.ms"]
    assert f"{PREFIX}-none" in [group[0] for group in admin.list_consumer_groups()]
    admin.delete_topics([topic])
    assert topic not in admin.list_topics()
    admin.close()


for each in ["none", "gzip", "snappy", "lz4", "zstd"]:
    library = LIBRARIES.get(each)
    if library and importlib.util.find_spec(library) is None:
        print(f"skip {each}: the client has no {library} library here", flush=True)
        continue
    check(f"{each}: received = sent, in order, committed", round_trip, each)
check("admin: topics, configurations, groups", administration)
