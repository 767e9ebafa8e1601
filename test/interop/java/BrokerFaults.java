// The Java client under faults of the embedded broker.
// Usage: java -cp JARS BrokerFaults.java BOOTSTRAP_SERVERS BROKER_URL. Prints `ok NAME` or `not ok NAME: WHY` per check.

import java.net.URI;
import java.net.http.*;
import java.time.Duration;
import java.util.*;
import java.util.regex.*;
import org.apache.kafka.clients.consumer.*;
import org.apache.kafka.clients.producer.*;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.*;

public class BrokerFaults {
  static final HttpClient http = HttpClient.newHttpClient();
  static String bootstrapServers;
  static String url;

  interface Check {
    void run() throws Exception;
  }

  public static void main(String[] args) throws Exception {
    bootstrapServers = args[0];
    url = args[1];
    check("a commit whose response is lost: the record comes once", () -> lostCommit("java-answer", "answer", "b"));
    check("a commit that is lost: the record comes again", () -> lostCommit("java-request", "request", "a"));
    // The abandoned consumers have threads of their own.
    System.exit(0);
  }

  /** Commits a record, loses the response, and compares what the next member of the group receives. */
  static void lostCommit(String group, String at, String expected) throws Exception {
    try (var producer = new KafkaProducer<>(config(), new StringSerializer(), new StringSerializer())) {
      for (String value : List.of("a", "b")) producer.send(new ProducerRecord<>(group, value)).get();
    }
    String hold = member(call("POST", "/holds",
        "{\"on\": \"OffsetCommit\", \"group\": \"" + group + "\", \"at\": \"" + at + "\"}"), "id");
    var killed = new Thread(() -> {
      try (var consumer = consumer(group)) {
        var record = receive(consumer);
        var position = new OffsetAndMetadata(record.offset() + 1);
        consumer.commitSync(Map.of(new TopicPartition(group, record.partition()), position));
      } catch (Exception lost) {
        // Its response never comes.
      }
    });
    killed.setDaemon(true);
    killed.start();
    equal("reached", member(call("GET", "/holds/" + hold + "?wait=10s", null), "state"), "the hold");
    // The process dies here: it commits nothing more, and leaves the group.
    String dead = member(call("POST", "/faults",
        "{\"on\": \"OffsetCommit\", \"group\": \"" + group + "\", \"cut\": \"before\"}"), "id");
    call("POST", "/holds/" + hold + "/release", "{\"answer\": \"drop\"}");
    call("POST", "/groups/" + group + "/evict", "{}");
    try (var successor = consumer(group)) {
      equal(expected, receive(successor).value(), "the next record");
    }
    call("DELETE", "/faults/" + dead, null);
  }

  static ConsumerRecord<String, String> receive(KafkaConsumer<String, String> consumer) {
    long deadline = System.nanoTime() + 20_000_000_000L;
    while (System.nanoTime() < deadline) {
      for (var record : consumer.poll(Duration.ofMillis(50))) return record;
    }
    throw new AssertionError("nothing was received");
  }

  static KafkaConsumer<String, String> consumer(String group) {
    Properties config = config();
    config.put("group.id", group);
    config.put("auto.offset.reset", "earliest");
    config.put("enable.auto.commit", "false");
    var consumer = new KafkaConsumer<>(config, new StringDeserializer(), new StringDeserializer());
    consumer.subscribe(List.of(group));
    return consumer;
  }

  static Properties config() {
    Properties config = new Properties();
    config.put("bootstrap.servers", bootstrapServers);
    return config;
  }

  static String call(String method, String path, String body) throws Exception {
    var content = body == null ? HttpRequest.BodyPublishers.noBody() : HttpRequest.BodyPublishers.ofString(body);
    var request = HttpRequest.newBuilder(URI.create(url + path)).method(method, content)
        .header("Content-Type", "application/json").timeout(Duration.ofSeconds(20)).build();
    var response = http.send(request, HttpResponse.BodyHandlers.ofString());
    if (response.statusCode() >= 400) throw new AssertionError(method + " " + path + ": " + response.body());
    return response.body();
  }

  /** The JDK has no JSON parser, and these members are plain texts. */
  static String member(String json, String name) {
    Matcher matcher = Pattern.compile("\"" + name + "\":\"([^\"]*)\"").matcher(json);
    if (!matcher.find()) throw new AssertionError("no \"" + name + "\" in " + json);
    return matcher.group(1);
  }

  static void equal(Object expected, Object actual, String what) {
    if (!expected.equals(actual)) throw new AssertionError(what + ": expected " + expected + ", got " + actual);
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
