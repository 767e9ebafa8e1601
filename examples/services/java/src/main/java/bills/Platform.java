package bills;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Base64;

/** The platform's REST API. */
public class Platform {
  private final HttpClient client = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
  private final String url;
  private final String credentials;

  public Platform(String url, String key) {
    this.url = url.replaceAll("/$", "");
    credentials = Base64.getEncoder().encodeToString((key + ":").getBytes(StandardCharsets.UTF_8));
  }

  /** Returns the name on bills of an account; null for an unknown account. Throws if the platform fails. */
  public String billingName(String account) throws IOException, InterruptedException {
    var path = "/accounts/" + URLEncoder.encode(account, StandardCharsets.UTF_8) + "/";
    var request = HttpRequest.newBuilder(URI.create(url + path))
        .header("Authorization", "Basic " + credentials)
        .timeout(Duration.ofSeconds(5))
        .build();
    var response = client.send(request, BodyHandlers.ofByteArray());
    if (response.statusCode() == 404) return null;
    if (response.statusCode() != 200) throw new IOException("The platform responds with " + response.statusCode() + ".");
    return new ObjectMapper().readTree(response.body()).path("billing_name").textValue();
  }
}
