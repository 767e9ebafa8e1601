"""librdkafka through confluent-kafka. Usage: confluent.py BOOTSTRAP_SERVERS PREFIX."""

import time

from confluent_kafka import Consumer, KafkaError, KafkaException, Producer, TopicPartition
from confluent_kafka.admin import AdminClient, ConfigResource, NewPartitions, NewTopic

from round_trip import MESSAGES, PARTITIONS, Received, arguments, before, check, deadline, key, value

SERVERS, PREFIX = arguments()


def round_trip(codec):
    topic = f"{PREFIX}-{codec}"
    admin = AdminClient({"bootstrap.servers": SERVERS})
    admin.create_topics([NewTopic(topic, PARTITIONS, 1)])[topic].result(10)
    producer = Producer(
        {"bootstrap.servers": SERVERS, "compression.type": codec, "enable.idempotence": True, "linger.ms": 20}
    )
    failed = []
    for number in range(MESSAGES):
        producer.produce(topic, value(number), key(number), on_delivery=lambda error, _: error and failed.append(error))
    assert producer.flush(20) == 0, "not everything was sent"
    assert not failed, f"not delivered: {failed[0]}"

    consumer = member(topic)
    consumer.subscribe([topic])
    received = Received()
    end = deadline()
    while len(received.numbers) < MESSAGES:
        before(end, f"received {len(received.numbers)} of {MESSAGES}")
        message = consumer.poll(0.5)
        if message is None:
            continue
        assert message.error() is None, message.error()
        received.add(message.partition(), message.key(), message.value())
    consumer.commit(asynchronous=False)
    consumer.close()

    reader = member(topic)
    for one in reader.committed([TopicPartition(topic, each) for each in range(PARTITIONS)], 10):
        count = received.counts[one.partition]
        assert max(0, one.offset) == count, f"committed of {one.partition}: expected {count}, got {one.offset}"
    low, high = reader.get_watermark_offsets(TopicPartition(topic, 0), 10)
    assert (low, high) == (0, received.counts[0]), f"watermarks of partition 0: {low}, {high}"
    reader.close()


def member(group):
    return Consumer(
        {
            "bootstrap.servers": SERVERS,
            "group.id": group,
            "auto.offset.reset": "earliest",
            "enable.auto.commit": False,
        }
    )


def administration():
    admin = AdminClient({"bootstrap.servers": SERVERS})
    topic = f"{PREFIX}-admin"
    admin.create_topics([NewTopic(topic, 1, 1, config={"retention.ms": "1000"})])[topic].result(10)
    admin.create_partitions([NewPartitions(topic, 2)])[topic].result(10)
    resource = ConfigResource(ConfigResource.Type.TOPIC, topic)
    configs = admin.describe_configs([resource])[resource].result(10)
    assert configs["retention.ms"].value == "1000", configs["retention.ms"].value
    assert len(admin.list_topics(topic, 10).topics[topic].partitions) == 2
    assert f"{PREFIX}-none" in [group.id for group in admin.list_groups(timeout=10)]
    admin.delete_topics([topic])[topic].result(10)


def refused_transactions():
    producer = Producer({"bootstrap.servers": SERVERS, "transactional.id": PREFIX})
    begun = time.monotonic()
    try:
        producer.init_transactions(20)
    except KafkaException as error:
        assert error.args[0].code() == KafkaError.TRANSACTIONAL_ID_AUTHORIZATION_FAILED, error
    else:
        raise AssertionError("transactions began")
    assert time.monotonic() - begun < 5, "not within 5 s"


def refused_mechanism():
    errors = []
    scram = {"security.protocol": "SASL_PLAINTEXT", "sasl.mechanism": "SCRAM-SHA-256"}
    login = {"sasl.username": "user", "sasl.password": "secret"}
    client = AdminClient({"bootstrap.servers": SERVERS, "error_cb": errors.append, **scram, **login})
    end = deadline()
    while not any(error.code() == KafkaError._AUTHENTICATION for error in errors):
        before(end, f"no failed authentication: {errors}")
        client.poll(0.1)


for each in ["none", "gzip", "snappy", "lz4", "zstd"]:
    check(f"{each}: received = sent, in order, committed", round_trip, each)
check("admin: topics, configurations, groups", administration)
check("transactions are refused at once", refused_transactions)
check("SCRAM is refused at once", refused_mechanism)
