// An application of Kafka Streams: its repartition and changelog topics, its purges, and exactly_once_v2.
// Usage: java -cp JARS Streams.java BOOTSTRAP_SERVERS PREFIX. Prints `ok NAME` or `not ok NAME: WHY` per check.

import java.nio.file.Files;
import java.util.*;
import java.util.concurrent.*;
import org.apache.kafka.clients.admin.*;
import org.apache.kafka.clients.producer.*;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.errors.TransactionalIdAuthorizationException;
import org.apache.kafka.common.serialization.*;
import org.apache.kafka.streams.*;
import org.apache.kafka.streams.errors.StreamsUncaughtExceptionHandler.StreamThreadExceptionResponse;
import org.apache.kafka.streams.kstream.*;
import org.apache.kafka.streams.state.Stores;

public class Streams {
  static final int LINES = 700;
  static final Map<String, Long> EXPECTED = Map.of("all", 700L, "word-0", 350L, "word-1", 350L);

  public static void main(String[] args) throws Exception {
    String servers = args[0];
    String input = args[1] + "-lines";
    try (Admin admin = Admin.create(Map.of("bootstrap.servers", servers))) {
      admin.createTopics(List.of(new NewTopic(input, 3, (short) 1))).all().get();
      var serializer = new StringSerializer();
      Map<String, Object> settings = Map.of("bootstrap.servers", servers);
      try (var producer = new KafkaProducer<>(settings, serializer, serializer)) {
        for (int i = 0; i < LINES; i++) producer.send(new ProducerRecord<>(input, "key-" + i, "all word-" + i % 2));
      }
      countWords(admin, servers, input, args[1]);
      exactlyOnce(admin, servers, input, args[1] + "-exactly-once");
    }
  }

  static void countWords(Admin admin, String servers, String input, String id) throws Exception {
    Map<String, Long> counts = new ConcurrentHashMap<>();
    var counted = new CountDownLatch(2 * LINES);
    try (var streams = application(servers, input, id, StreamsConfig.AT_LEAST_ONCE, (word, count) -> {
      counts.put(word, count);
      counted.countDown();
    })) {
      streams.start();
      counted.await(60, TimeUnit.SECONDS);
      report("words are counted across a repartition topic", EXPECTED.equals(counts), counts);
      var changelog = new ConfigResource(ConfigResource.Type.TOPIC, id + "-counts-changelog");
      var policy = admin.describeConfigs(List.of(changelog)).all().get().get(changelog).get("cleanup.policy").value();
      report("the changelog topic is compacted", policy.equals("compact"), policy);
      var first = new TopicPartition(id + "-words-repartition", 0);
      long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
      long start;
      do {
        start = admin.listOffsets(Map.of(first, OffsetSpec.earliest())).all().get().get(first).offset();
      } while (start == 0 && System.nanoTime() < deadline);
      report("the repartition topic is purged", start > 0, start);
    }
  }

  static void exactlyOnce(Admin admin, String servers, String input, String id) throws Exception {
    var failed = new CompletableFuture<Throwable>();
    try (var streams = application(servers, input, id, StreamsConfig.EXACTLY_ONCE_V2, (word, count) -> {})) {
      streams.setUncaughtExceptionHandler(error -> {
        failed.complete(error);
        return StreamThreadExceptionResponse.SHUTDOWN_CLIENT;
      });
      streams.start();
      Throwable cause = failed.get(60, TimeUnit.SECONDS);
      while (cause.getCause() != null) cause = cause.getCause();
      report("exactly_once_v2 is refused", cause instanceof TransactionalIdAuthorizationException, cause);
    }
    // As `kafka-streams-application-reset --force` does: the members have not left.
    admin.removeMembersFromConsumerGroup(id, new RemoveMembersFromConsumerGroupOptions()).all().get();
    admin.deleteConsumerGroups(List.of(id)).all().get();
    report("the members of a group are removed at once", true, null);
  }

  static KafkaStreams application(
      String servers, String input, String id, String guarantee, ForeachAction<String, Long> action) throws Exception {
    var strings = Serdes.String();
    var builder = new StreamsBuilder();
    builder.stream(input, Consumed.with(strings, strings))
        .flatMapValues(line -> List.of(line.split(" ")))
        .groupBy((key, word) -> word, Grouped.with("words", strings, strings))
        .count(Materialized.<String, Long>as(Stores.inMemoryKeyValueStore("counts")).withKeySerde(strings))
        .toStream()
        .foreach(action);
    var settings = new Properties();
    settings.putAll(Map.of(
        "bootstrap.servers", servers, "application.id", id, "processing.guarantee", guarantee,
        "state.dir", Files.createTempDirectory("state").toString(), "auto.offset.reset", "earliest",
        "statestore.cache.max.bytes", 0, "commit.interval.ms", 100, "repartition.purge.interval.ms", 100));
    return new KafkaStreams(builder.build(), settings);
  }

  static void report(String name, boolean holds, Object otherwise) {
    System.out.println(holds ? "ok " + name : "not ok " + name + ": " + otherwise);
  }
}
