package bills;

import java.util.Map;
import org.apache.kafka.clients.consumer.KafkaConsumer;

/** Runs the service until SIGTERM. A failure that retries do not end exits with code 1, so that a supervisor restarts it. */
public final class Main {
  public static void main(String[] args) throws Exception {
    var env = System.getenv();
    run(new Service(new KafkaConsumer<>(Service.settings(env.get("KAFKA_BROKERS"))), store(env), platform(env)), env);
  }

  public static void run(Service service, Map<String, String> env) throws Exception {
    var main = Thread.currentThread();
    Runtime.getRuntime().addShutdownHook(new Thread(() -> {
      service.stop();
      join(main);
    }));
    Web.serve(Integer.parseInt(env.get("PORT")), env.get("DATABASE"), service::isReady);
    try {
      service.run();
    } catch (Exception error) {
      System.err.println("The service fails: " + error);
      Runtime.getRuntime().halt(1);
    }
  }

  public static Store store(Map<String, String> env) throws Exception {
    return new Store(env.get("DATABASE"));
  }

  public static Platform platform(Map<String, String> env) {
    return new Platform(env.get("PLATFORM_URL"), env.get("PLATFORM_KEY"));
  }

  private static void join(Thread main) {
    try {
      main.join();
    } catch (InterruptedException error) {
      Thread.currentThread().interrupt();
    }
  }
}
