import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;

/** Reads lines `<model> <payload>`. Writes each payload as its model writes it, or `rejected`. */
class RoundTrip {
  public static void main(String[] args) throws Exception {
    JsonMapper mapper = JsonMapper.builder()
        .serializationInclusion(JsonInclude.Include.NON_NULL)
        .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
        .build();
    var lines = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    var out = new PrintStream(System.out, false, StandardCharsets.UTF_8);
    for (String line = lines.readLine(); line != null; line = lines.readLine()) {
      int space = line.indexOf(' ');
      Class<?> model = Class.forName("com.example.events." + line.substring(0, space));
      try {
        Object event = mapper.readValue(line.substring(space + 1), model);
        out.println(mapper.writeValueAsString(event));
      } catch (JsonProcessingException error) {
        out.println("rejected");
      }
    }
    out.flush();
  }
}
