package bills;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import org.apache.kafka.clients.consumer.ConsumerRecord;

/** An event of the platform. All versions of one occurrence share its id. */
public record Event(String name, String id, String occurrence, JsonNode payload) {
  /** A record that no retry can handle. */
  public static final class Unreadable extends Exception {
    Unreadable(String why) {
      super(why);
    }
  }

  private static final ObjectMapper JSON = new ObjectMapper();

  static Event read(ConsumerRecord<byte[], byte[]> record) throws Unreadable {
    if (record.value() == null) throw new Unreadable("no value");
    JsonNode envelope;
    try {
      envelope = JSON.readTree(record.value());
    } catch (IOException error) {
      throw new Unreadable("no JSON");
    }
    var id = text(envelope, "/id");
    var header = record.headers().lastHeader("occurrence-id");
    var occurrence = header == null ? id : new String(header.value(), StandardCharsets.UTF_8);
    return new Event(text(envelope, "/event_type") + "-" + text(envelope, "/version"), id, occurrence, envelope.at("/payload"));
  }

  public String text(String pointer) throws Unreadable {
    return text(payload, pointer);
  }

  public long whole(String pointer) throws Unreadable {
    var value = payload.at(pointer);
    if (!value.canConvertToLong() || !value.isIntegralNumber()) throw new Unreadable("no whole number at " + pointer);
    return value.longValue();
  }

  private static String text(JsonNode node, String pointer) throws Unreadable {
    var value = node.at(pointer);
    if (!value.isTextual()) throw new Unreadable("no text at " + pointer);
    return value.textValue();
  }
}
