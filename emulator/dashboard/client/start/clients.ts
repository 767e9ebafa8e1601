const group = 'billing';
const topic = 'platform.events';

/** Returns a program for each Kafka client that prints all events, by language. */
export function clientsOf(servers: string): readonly (readonly [language: string, code: string])[] {
  return [
    [
      'TypeScript',
      typeScript(
        `import { kafka } from 'busbar/kafka';`,
        `kafka({ brokers: ['${servers}'], groupId: '${group}', topics: ['${topic}'], fromBeginning: true })`,
      ),
    ],
    ['Python', python(servers)],
    ['Java', java(servers)],
    ['kcat', `kcat -b ${servers} -X auto.offset.reset=earliest -G ${group} ${topic}\n`],
  ];
}

/** Returns a program that prints all events of the stream. */
export function streamClient(url: string): string {
  return typeScript(
    `import { websocket } from 'busbar/websocket';`,
    `websocket({ url: '${url}', consumer: '${group}' })`,
  );
}

function typeScript(imported: string, transport: string): string {
  return `import { onAny, run } from 'busbar';
${imported}

onAny(({ type, version, payload }) => console.log(type, version, payload));

await run(${transport});
`;
}

function python(servers: string): string {
  return `from confluent_kafka import Consumer  # pip install confluent-kafka

consumer = Consumer({
    "bootstrap.servers": "${servers}",
    "group.id": "${group}",
    "auto.offset.reset": "earliest",
})
consumer.subscribe(["${topic}"])
while True:
    record = consumer.poll(1)
    if record is not None and record.error() is None:
        print(record.value().decode())
`;
}

function java(servers: string): string {
  return `import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.serialization.StringDeserializer;

class Events {
  public static void main(String[] arguments) {
    Map<String, Object> settings = Map.of(
        "bootstrap.servers", "${servers}",
        "group.id", "${group}",
        "auto.offset.reset", "earliest",
        "key.deserializer", StringDeserializer.class,
        "value.deserializer", StringDeserializer.class);
    try (var consumer = new KafkaConsumer<String, String>(settings)) {
      consumer.subscribe(List.of("${topic}"));
      while (true) {
        consumer.poll(Duration.ofSeconds(1)).forEach(record -> System.out.println(record.value()));
      }
    }
  }
}
`;
}
