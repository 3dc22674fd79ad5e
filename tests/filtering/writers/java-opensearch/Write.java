// Writes the documents of standard input, one JSON object a line with its _id, by a BulkIngester.
import org.opensearch.client.opensearch.OpenSearchClient;
import org.opensearch.client.opensearch._helpers.bulk.BulkIngester;
import org.opensearch.client.opensearch._helpers.bulk.BulkListener;
import org.opensearch.client.opensearch._types.Refresh;
import org.opensearch.client.opensearch.core.BulkRequest;
import org.opensearch.client.opensearch.core.BulkResponse;
import org.opensearch.client.json.jackson.JacksonJsonpMapper;
import org.opensearch.client.transport.BackoffPolicy;
import org.opensearch.client.transport.httpclient5.ApacheHttpClient5TransportBuilder;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.hc.core5.http.HttpHost;

class Write implements BulkListener<Void> {
    final AtomicInteger successful = new AtomicInteger(), failed = new AtomicInteger();

    public void beforeBulk(long number, BulkRequest request, List<Void> contexts) {}

    public void afterBulk(long number, BulkRequest request, List<Void> contexts, BulkResponse response) {
        response.items().forEach(item -> (item.error() == null ? successful : failed).incrementAndGet());
    }

    public void afterBulk(long number, BulkRequest request, List<Void> contexts, Throwable failure) {
        System.err.println(failure);
        failed.addAndGet(request.operations().size());
    }

    public static void main(String[] arguments) throws Exception {
        String url = arguments[0], index = arguments[1], action = arguments[2];
        var mapper = new ObjectMapper();
        var written = new Write();
        try (var transport = ApacheHttpClient5TransportBuilder.builder(HttpHost.create(url))
                .setMapper(new JacksonJsonpMapper(mapper)).build()) {
            var client = new OpenSearchClient(transport);
            try (var ingester = BulkIngester.<Void>of(settings -> settings.client(client).maxOperations(6)
                    .maxConcurrentRequests(1).backoffPolicy(BackoffPolicy.constantBackoff(50L, 3))
                    .globalSettings(request -> request.refresh(Refresh.False)).listener(written))) {
                var lines = new BufferedReader(new InputStreamReader(System.in, "UTF-8"));
                for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                    var source = (ObjectNode) mapper.readTree(line);
                    String id = source.remove("_id").asText();
                    ingester.add(operation -> action.equals("create")
                            ? operation.create(create -> create.index(index).id(id).document(source))
                            : operation.index(write -> write.index(index).id(id).document(source)));
                }
            }
        }
        System.out.printf("{\"successful\": %d, \"failed\": %d}%n", written.successful.get(), written.failed.get());
    }
}
