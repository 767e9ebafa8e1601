// The bytes that Apache Kafka's own message classes write. Usage: java -cp JARS GoldenMessages.java KEY:FIRST-LAST...
// Prints `error NAME CODE` for each error, and `KEY VERSION request|response full|least HEX` for each message in each
// version that this release has.
//
// The values are numbered in wire order by a rule that test/emulator/broker/golden/numbered-messages.ts repeats:
// `full` has two elements in each array and no null; `least` has one element, every possible null and negative numbers.

import java.nio.ByteBuffer;
import java.util.*;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.message.ApiMessageType;
import org.apache.kafka.common.protocol.*;
import org.apache.kafka.common.protocol.types.*;

public class GoldenMessages {
  static int next;
  static boolean isFull;

  public static void main(String[] args) throws Exception {
    for (Errors error : Errors.values()) System.out.println("error " + error.name() + " " + error.code());
    for (String arg : args) {
      String[] parts = arg.split("[:-]");
      short key = Short.parseShort(parts[0]);
      ApiMessageType type = ApiMessageType.fromApiKey(key);
      int first = Math.max(Integer.parseInt(parts[1]), type.lowestSupportedVersion());
      int last = Math.min(Integer.parseInt(parts[2]), type.highestSupportedVersion(true));
      for (short version = (short) first; version <= last; version++) {
        print(key, version, "request", type.requestSchemas(), type.newRequest());
        print(key, version, "response", type.responseSchemas(), type.newResponse());
      }
    }
  }

  static void print(short key, short version, String kind, Schema[] schemas, ApiMessage message)
      throws Exception {
    for (boolean full : new boolean[] {true, false}) {
      isFull = full;
      next = 0;
      Schema schema = schemas[version];
      Struct values = struct(schema);
      ByteBuffer described = ByteBuffer.allocate(schema.sizeOf(values));
      schema.write(described, values);
      described.flip();
      // The schema describes the message. The message class, which Kafka uses, writes it.
      message.read(new ByteBufferAccessor(described), version);
      ObjectSerializationCache cache = new ObjectSerializationCache();
      ByteBuffer written = ByteBuffer.allocate(message.size(cache, version));
      message.write(new ByteBufferAccessor(written), cache, version);
      String hex = HexFormat.of().formatHex(written.array());
      System.out.println(String.join(" ", "" + key, "" + version, kind, full ? "full" : "least", hex));
    }
  }

  static Struct struct(Schema schema) throws Exception {
    Struct struct = new Struct(schema);
    for (BoundField field : schema.fields()) struct.set(field, value(field.def.type));
    return struct;
  }

  static Object value(Type type) throws Exception {
    if (type instanceof TaggedFields) return tagged((TaggedFields) type);
    if (!isFull && type.isNullable()) return null;
    if (type.isArray()) {
      Type element = type.arrayElementType().get();
      return isFull ? new Object[] {value(element), value(element)} : new Object[] {value(element)};
    }
    if (type instanceof Schema) return struct((Schema) type);
    int n = ++next;
    int sign = isFull ? 1 : -1;
    switch (type.toString()) {
      case "BOOLEAN": return n % 2 == 1;
      case "INT8": return (byte) (sign * (n % 100));
      case "INT16": return (short) (sign * (1000 + n));
      case "INT32": return sign * (1_000_000 + n);
      case "INT64": return sign * ((1L << 40) + n);
      case "FLOAT64": return sign * (n + 0.5);
      case "UUID": return new Uuid(n * 0x0101010101010101L, n * 0x0101010101010101L);
      case "STRING": case "COMPACT_STRING": case "NULLABLE_STRING": case "COMPACT_NULLABLE_STRING":
        return isFull ? "s" + n : "";
      case "BYTES": case "COMPACT_BYTES": case "NULLABLE_BYTES": case "COMPACT_NULLABLE_BYTES":
        return ByteBuffer.wrap(new byte[] {(byte) n});
      case "RECORDS": case "NULLABLE_RECORDS": return type.read(ByteBuffer.wrap(new byte[] {0, 0, 0, 1, (byte) n}));
      case "COMPACT_RECORDS": case "COMPACT_NULLABLE_RECORDS": return type.read(ByteBuffer.wrap(new byte[] {2, (byte) n}));
      default: throw new IllegalStateException("no rule for " + type);
    }
  }

  /** Sets texts and error codes. The broker knows no other tagged field. */
  static NavigableMap<Integer, Object> tagged(TaggedFields type) throws Exception {
    NavigableMap<Integer, Object> values = new TreeMap<>();
    // Releases before 4.0 have no accessor.
    var known = TaggedFields.class.getDeclaredField("fields");
    known.setAccessible(true);
    for (var field : ((Map<Integer, Field>) known.get(type)).entrySet()) {
      if (!isFull || !field.getValue().type.toString().matches(".*STRING|INT16")) continue;
      values.put(field.getKey(), value(field.getValue().type));
    }
    return values;
  }
}
