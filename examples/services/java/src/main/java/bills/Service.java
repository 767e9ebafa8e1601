package bills;

import java.io.IOException;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.consumer.CommitFailedException;
import org.apache.kafka.clients.consumer.ConsumerRebalanceListener;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.RebalanceInProgressException;
import org.apache.kafka.common.errors.RetriableException;
import org.apache.kafka.common.errors.WakeupException;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/** The consumer: handles the records of a poll, then commits their offsets. */
public class Service {
  private static final long[] DELAYS = {100, 200, 500, 1_000, 2_000, 5_000, 10_000, 20_000, 20_000};

  private final CountDownLatch stopping = new CountDownLatch(1);
  private final KafkaConsumer<byte[], byte[]> consumer;
  private final Store store;
  private final Platform platform;
  private volatile boolean ready;

  public Service(KafkaConsumer<byte[], byte[]> consumer, Store store, Platform platform) {
    this.consumer = consumer;
    this.store = store;
    this.platform = platform;
  }

  public static Map<String, Object> settings(String brokers) {
    return Map.of(
        "bootstrap.servers", brokers,
        "group.id", "bills",
        "auto.offset.reset", "earliest",
        "enable.auto.commit", false,
        "key.deserializer", ByteArrayDeserializer.class,
        "value.deserializer", ByteArrayDeserializer.class);
  }

  boolean isReady() {
    return ready;
  }

  void stop() {
    stopping.countDown();
    consumer.wakeup();
  }

  void run() throws Exception {
    try (consumer) {
      consumer.subscribe(List.of("platform.events"), new ConsumerRebalanceListener() {
        @Override
        public void onPartitionsAssigned(Collection<TopicPartition> partitions) {
          ready = true;
        }

        @Override
        public void onPartitionsRevoked(Collection<TopicPartition> partitions) {}
      });
      while (!isStopping(0)) take(consumer.poll(Duration.ofSeconds(1)));
    } catch (WakeupException stopped) {
      // Records without a committed offset come again at the next start.
    }
  }

  protected void take(ConsumerRecords<byte[], byte[]> records) throws Exception {
    var done = new HashMap<TopicPartition, OffsetAndMetadata>();
    for (var record : records) {
      if (!handle(record)) break;
      done.put(new TopicPartition(record.topic(), record.partition()), new OffsetAndMetadata(record.offset() + 1));
    }
    commit(done);
  }

  protected final void commit(Map<TopicPartition, OffsetAndMetadata> offsets) {
    try {
      if (!offsets.isEmpty()) consumer.commitSync(offsets);
    } catch (CommitFailedException | RebalanceInProgressException | RetriableException error) {
      // The next commit includes these offsets. If another member has the partition, the records come again.
      System.err.println("A commit fails: " + error.getClass().getSimpleName());
    }
  }

  /** Retries for about a minute, then throws. Returns whether the record is done: it is not if `stop` ends a wait. */
  protected final boolean handle(ConsumerRecord<byte[], byte[]> record) throws Exception {
    for (int attempt = 0; ; attempt++) {
      try {
        attempt(record);
        return true;
      } catch (SQLException | IOException error) {
        if (attempt == DELAYS.length) throw error;
        System.err.println("A record waits for a retry: " + error.getClass().getSimpleName());
        if (isStopping(DELAYS[attempt])) return false;
      }
    }
  }

  private void attempt(ConsumerRecord<byte[], byte[]> record) throws Exception {
    try {
      var event = Event.read(record);
      switch (event.name()) {
        case "account.created-v1" -> {
          var number = event.text("/account_number");
          store.once(inboxKey(event), () -> store.openAccount(number));
        }
        case "billing.ledger.entry_posted-v1", "billing.ledger.entry_posted-v2" -> {
          var account = event.text("/ledger/account/number");
          store.once(inboxKey(event), () -> store.countEntry(account));
        }
        case "billing.final_bill-v1" -> {
          var account = event.text("/account_number");
          var statement = event.whole("/statement_id");
          var payer = platform.billingName(account);
          store.once(inboxKey(event), () -> store.keepBill(statement, account, payer));
        }
        default -> {}
      }
    } catch (Event.Unreadable error) {
      System.err.printf("Parked the record at %s-%d@%d.%n", record.topic(), record.partition(), record.offset());
      store.park(record.topic(), record.partition(), record.offset(), error.getMessage());
    }
  }

  protected String inboxKey(Event event) {
    return event.occurrence();
  }

  private boolean isStopping(long afterMs) throws InterruptedException {
    return stopping.await(afterMs, TimeUnit.MILLISECONDS);
  }
}
