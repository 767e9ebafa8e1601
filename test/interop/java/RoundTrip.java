// The Java client with its defaults (an idempotent producer, acks=all, the range and cooperative assignors).
// Usage: java -cp JARS RoundTrip.java BOOTSTRAP_SERVERS PREFIX. Prints `ok NAME` or `not ok NAME: WHY` per check.

import java.time.Duration;
import java.util.*;
import org.apache.kafka.clients.admin.*;
import org.apache.kafka.clients.consumer.*;
import org.apache.kafka.clients.producer.*;
import org.apache.kafka.common.ElectionType;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.acl.*;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.config.TopicConfig;
import org.apache.kafka.common.errors.*;
import org.apache.kafka.common.quota.ClientQuotaFilter;
import org.apache.kafka.common.resource.*;
import org.apache.kafka.common.serialization.*;

public class RoundTrip {
  static final int MESSAGES = 1000;
  static final int PARTITIONS = 3;
  static String bootstrapServers;
  static String prefix;

  interface Check {
    void run() throws Exception;
  }

  public static void main(String[] args) throws Exception {
    bootstrapServers = args[0];
    prefix = args[1];
    try (Admin admin = Admin.create(Map.of("bootstrap.servers", bootstrapServers))) {
      for (String codec : List.of("none", "gzip", "snappy", "lz4", "zstd")) {
        check(codec + ": received = sent, in order, committed", () -> roundTrip(admin, codec));
      }
      check("admin: topics", () -> topics(admin));
      check("admin: configurations", () -> configurations(admin));
      check("admin: offsets and records", () -> offsets(admin));
      check("admin: groups", () -> groups(admin));
      check("admin: tools", () -> tools(admin));
      check("a transactional producer is refused at once", RoundTrip::transactions);
      check("a member by KIP-848 is refused at once", RoundTrip::newProtocol);
    }
  }

  /** Two members share the group before anything is sent, so that a rebalance has happened. */
  static void roundTrip(Admin admin, String codec) throws Exception {
    String topic = prefix + "-" + codec;
    admin.createTopics(List.of(new NewTopic(topic, PARTITIONS, (short) 1))).all().get();
    Map<Integer, List<Integer>> received = new TreeMap<>();
    try (var one = consumer(topic); var other = consumer(topic)) {
      var members = List.of(one, other);
      one.subscribe(List.of(topic));
      other.subscribe(List.of(topic));
      long deadline = deadline();
      while (one.assignment().isEmpty() || other.assignment().isEmpty()
          || one.assignment().size() + other.assignment().size() != PARTITIONS) {
        for (var member : members) member.poll(Duration.ofMillis(50));
        before(deadline, "the two members do not share the partitions");
      }
      try (var producer = producer(codec)) {
        for (int i = 0; i < MESSAGES; i++) producer.send(new ProducerRecord<>(topic, "key-" + i % 17, value(i)));
        producer.flush();
      }
      int count = 0;
      deadline = deadline();
      while (count < MESSAGES) {
        for (var member : members) {
          for (var record : member.poll(Duration.ofMillis(50))) {
            int number = Integer.parseInt(record.value().substring(0, 6));
            equal(value(number), record.value(), "value");
            equal("key-" + number % 17, record.key(), "key");
            received.computeIfAbsent(record.partition(), partition -> new ArrayList<>()).add(number);
            count++;
          }
        }
        before(deadline, "received " + count + " of " + MESSAGES);
      }
      for (var member : members) member.commitSync();
    }
    Set<Integer> all = new HashSet<>();
    for (var numbers : received.values()) {
      for (int i = 1; i < numbers.size(); i++) {
        if (numbers.get(i) <= numbers.get(i - 1)) throw new AssertionError("out of order in a partition");
      }
      all.addAll(numbers);
    }
    equal(MESSAGES, all.size(), "different messages");
    try (var reader = consumer(topic)) {
      Set<TopicPartition> partitions = new HashSet<>();
      for (int i = 0; i < PARTITIONS; i++) partitions.add(new TopicPartition(topic, i));
      var committed = reader.committed(partitions);
      for (var partition : partitions) {
        long expected = received.getOrDefault(partition.partition(), List.of()).size();
        equal(expected, committed.get(partition).offset(), "committed of " + partition);
      }
    }
  }

  static void topics(Admin admin) throws Exception {
    String topic = prefix + "-admin";
    admin.createTopics(List.of(new NewTopic(topic, 2, (short) 1).configs(Map.of("retention.ms", "1000")))).all().get();
    failsWith(TopicExistsException.class, () -> admin.createTopics(List.of(new NewTopic(topic, 2, (short) 1))).all().get());
    failsWith(InvalidTopicException.class, () -> admin.createTopics(List.of(new NewTopic("a b", 2, (short) 1))).all().get());
    failsWith(InvalidReplicationFactorException.class,
        () -> admin.createTopics(List.of(new NewTopic(topic + "2", 2, (short) 3))).all().get());
    admin.createPartitions(Map.of(topic, NewPartitions.increaseTo(4))).all().get();
    equal(4, admin.describeTopics(List.of(topic)).allTopicNames().get().get(topic).partitions().size(), "partitions");
    equal(true, admin.listTopics().names().get().contains(topic), "listed");
    equal(1, admin.describeCluster().nodes().get().size(), "nodes");
    admin.deleteTopics(List.of(topic)).all().get();
    equal(false, admin.listTopics().names().get().contains(topic), "listed after the deletion");
    failsWith(UnknownTopicOrPartitionException.class, () -> admin.deleteTopics(List.of(topic)).all().get());
  }

  static void configurations(Admin admin) throws Exception {
    var resource = new ConfigResource(ConfigResource.Type.TOPIC, prefix + "-none");
    admin.incrementalAlterConfigs(Map.of(resource, List.of(
        new AlterConfigOp(new ConfigEntry(TopicConfig.RETENTION_MS_CONFIG, "60000"), AlterConfigOp.OpType.SET),
        new AlterConfigOp(new ConfigEntry(TopicConfig.CLEANUP_POLICY_CONFIG, "compact"), AlterConfigOp.OpType.APPEND)))).all().get();
    Config config = admin.describeConfigs(List.of(resource)).all().get().get(resource);
    equal("60000", config.get("retention.ms").value(), "retention.ms");
    equal("delete,compact", config.get("cleanup.policy").value(), "cleanup.policy");
    equal(ConfigEntry.ConfigSource.DYNAMIC_TOPIC_CONFIG, config.get("retention.ms").source(), "source");
    equal(true, config.get("segment.bytes").isDefault(), "segment.bytes is a default");
    failsWith(InvalidConfigurationException.class, () -> admin.incrementalAlterConfigs(Map.of(resource, List.of(
        new AlterConfigOp(new ConfigEntry("no.such", "1"), AlterConfigOp.OpType.SET)))).all().get());
  }

  static void offsets(Admin admin) throws Exception {
    var partition = new TopicPartition(prefix + "-none", 0);
    long end = offset(admin, partition, OffsetSpec.latest());
    equal(0L, offset(admin, partition, OffsetSpec.earliest()), "earliest");
    equal(true, offset(admin, partition, OffsetSpec.maxTimestamp()) < end, "offset of the greatest timestamp");
    equal(0L, offset(admin, partition, OffsetSpec.forTimestamp(1)), "offset since 1970");
    equal(-1L, offset(admin, partition, OffsetSpec.forTimestamp(Long.MAX_VALUE)), "offset in the future");
    equal(3L, admin.deleteRecords(Map.of(partition, RecordsToDelete.beforeOffset(3))).all().get() == null
        ? offset(admin, partition, OffsetSpec.earliest()) : -1L, "earliest after the deletion");
  }

  static long offset(Admin admin, TopicPartition partition, OffsetSpec spec) throws Exception {
    return admin.listOffsets(Map.of(partition, spec)).partitionResult(partition).get().offset();
  }

  static void groups(Admin admin) throws Exception {
    String topic = prefix + "-none";
    var partition = new TopicPartition(topic, 0);
    var listed = admin.listConsumerGroups().all().get().stream().map(ConsumerGroupListing::groupId).toList();
    equal(true, listed.contains(topic), "listed");
    try (var member = consumer(topic)) {
      member.subscribe(List.of(topic));
      long deadline = deadline();
      while (member.assignment().isEmpty()) {
        member.poll(Duration.ofMillis(50));
        before(deadline, "no assignment");
      }
      var described = admin.describeConsumerGroups(List.of(topic)).all().get().get(topic);
      equal(1, described.members().size(), "members");
      equal(PARTITIONS, described.members().iterator().next().assignment().topicPartitions().size(), "assigned");
      failsWith(GroupNotEmptyException.class, () -> admin.deleteConsumerGroups(List.of(topic)).all().get());
      admin.removeMembersFromConsumerGroup(topic, new RemoveMembersFromConsumerGroupOptions()).all().get();
    }
    admin.alterConsumerGroupOffsets(topic, Map.of(partition, new OffsetAndMetadata(7, "by hand"))).all().get();
    var committed = admin.listConsumerGroupOffsets(topic).partitionsToOffsetAndMetadata().get().get(partition);
    equal(new OffsetAndMetadata(7, "by hand"), committed, "altered offset");
    admin.alterConsumerGroupOffsets(topic, Map.of(partition, new OffsetAndMetadata(0))).all().get();
    admin.deleteConsumerGroups(List.of(topic)).all().get();
    failsWith(GroupIdNotFoundException.class, () -> admin.deleteConsumerGroups(List.of(topic)).all().get());
  }

  /** Requests of administration tools, with what is true of one node in memory. */
  static void tools(Admin admin) throws Exception {
    String topic = prefix + "-gzip";
    var partition = new TopicPartition(topic, 0);
    admin.deleteConsumerGroupOffsets(topic, Set.of(partition)).all().get();
    var left = admin.listConsumerGroupOffsets(topic).partitionsToOffsetAndMetadata().get();
    equal(PARTITIONS - 1, left.size(), "offsets after the deletion");
    admin.alterConsumerGroupOffsets(topic, Map.of(partition, new OffsetAndMetadata(
        offset(admin, partition, OffsetSpec.latest())))).all().get();
    var directories = admin.describeLogDirs(List.of(1)).allDescriptions().get().get(1);
    equal(true, directories.get("/memory").replicaInfos().get(partition).size() > 0, "bytes");
    var election = admin.electLeaders(ElectionType.PREFERRED, Set.of(partition)).partitions().get().get(partition);
    equal(true, election.get() instanceof ElectionNotNeededException, "no election is needed");
    equal(true, admin.listPartitionReassignments().reassignments().get().isEmpty(), "no reassignments");
    var producers = admin.describeProducers(List.of(partition)).partitionResult(partition).get();
    equal(1, producers.activeProducers().size(), "producers");
    equal(true, admin.describeClientQuotas(ClientQuotaFilter.all()).entities().get().isEmpty(), "no quotas");
    failsWith(SecurityDisabledException.class, () -> admin.describeAcls(AclBindingFilter.ANY).values().get());
    failsWith(SecurityDisabledException.class, () -> admin.deleteAcls(List.of(AclBindingFilter.ANY)).all().get());
    failsWith(SecurityDisabledException.class, () -> admin.createAcls(List.of(new AclBinding(
        new ResourcePattern(ResourceType.TOPIC, topic, PatternType.LITERAL),
        new AccessControlEntry("User:a", "*", AclOperation.READ, AclPermissionType.ALLOW)))).all().get());
  }

  static void newProtocol() throws Exception {
    Properties config = new Properties();
    config.put("bootstrap.servers", bootstrapServers);
    config.put("group.id", prefix);
    config.put("group.protocol", "consumer");
    try (var consumer = new KafkaConsumer<>(config, new StringDeserializer(), new StringDeserializer())) {
      consumer.subscribe(List.of(prefix + "-none"));
      long start = System.nanoTime();
      failsWith(UnsupportedVersionException.class, () -> {
        while (System.nanoTime() - start < 5_000_000_000L) consumer.poll(Duration.ofMillis(50));
      });
    }
  }

  static void transactions() throws Exception {
    Properties config = new Properties();
    config.put("bootstrap.servers", bootstrapServers);
    config.put("transactional.id", prefix);
    try (var producer = new KafkaProducer<>(config, new StringSerializer(), new StringSerializer())) {
      long start = System.nanoTime();
      failsWith(TransactionalIdAuthorizationException.class, producer::initTransactions);
      equal(true, System.nanoTime() - start < 5_000_000_000L, "within 5 s");
    }
  }

  static KafkaConsumer<String, String> consumer(String group) {
    Properties config = new Properties();
    config.put("bootstrap.servers", bootstrapServers);
    config.put("group.id", group);
    config.put("auto.offset.reset", "earliest");
    config.put("enable.auto.commit", "false");
    return new KafkaConsumer<>(config, new StringDeserializer(), new StringDeserializer());
  }

  static KafkaProducer<String, String> producer(String codec) {
    Properties config = new Properties();
    config.put("bootstrap.servers", bootstrapServers);
    config.put("compression.type", codec);
    return new KafkaProducer<>(config, new StringSerializer(), new StringSerializer());
  }

  static String value(int number) {
    return String.format("%06d ", number) + "compressible ".repeat(20);
  }

  static long deadline() {
    return System.nanoTime() + 20_000_000_000L;
  }

  static void before(long deadline, String otherwise) {
    if (System.nanoTime() > deadline) throw new AssertionError(otherwise);
  }

  static void equal(Object expected, Object actual, String what) {
    if (!expected.equals(actual)) throw new AssertionError(what + ": expected " + expected + ", got " + actual);
  }

  static void failsWith(Class<? extends Exception> expected, Check call) {
    try {
      call.run();
    } catch (Exception error) {
      Throwable cause = error instanceof java.util.concurrent.ExecutionException ? error.getCause() : error;
      if (expected.isInstance(cause)) return;
      throw new AssertionError("expected " + expected.getSimpleName() + ", got " + cause);
    }
    throw new AssertionError("expected " + expected.getSimpleName() + ", nothing was thrown");
  }

  static void check(String name, Check check) {
    try {
      check.run();
      System.out.println("ok " + name);
    } catch (Throwable error) {
      System.out.println("not ok " + name + ": " + error);
    }
  }
}
