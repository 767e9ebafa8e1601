import bills.Event;
import bills.Main;
import bills.Service;
import bills.Store;
import java.util.HashMap;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.CooperativeStickyAssignor;
import org.apache.kafka.clients.consumer.KafkaConsumer;

/** Runs the example service with a bug, or as another correct service. Usage: Services NAME. */
final class Services {
  public static void main(String[] args) throws Exception {
    var env = System.getenv();
    var settings = new HashMap<>(Service.settings(env.get("KAFKA_BROKERS")));
    if (args[0].equals("static-membership")) {
      settings.put("group.instance.id", env.get("INSTANCE"));
      settings.put("partition.assignment.strategy", CooperativeStickyAssignor.class.getName());
      Thread.sleep(1_000);
    }
    var consumer = new KafkaConsumer<byte[], byte[]>(settings);
    var platform = Main.platform(env);
    var store = Main.store(env);
    Main.run(
        switch (args[0]) {
          case "commits-before-work" -> new Service(consumer, store, platform) {
            @Override
            protected void take(ConsumerRecords<byte[], byte[]> records) throws Exception {
              consumer.commitSync();
              for (var record : records) handle(record);
            }
          };
          case "counts-both-versions" -> new Service(consumer, store, platform) {
            @Override
            protected String inboxKey(Event event) {
              return event.id();
            }
          };
          case "stops-at-a-broken-record" -> new Service(consumer, new Store(env.get("DATABASE")) {
            @Override
            public void park(String topic, int partition, long offset, String reason) {
              throw new IllegalStateException("A record cannot be read: " + reason);
            }
          }, platform);
          case "inbox-in-one-transaction", "static-membership" -> new Service(consumer, store, platform);
          default -> throw new IllegalArgumentException("There is no service " + args[0] + ".");
        },
        env);
  }
}
