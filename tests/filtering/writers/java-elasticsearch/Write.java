// Writes the documents of standard input, one JSON object a line with its _id, by a BulkIngester.
import co.elastic.clients.elasticsearch.ElasticsearchClient;
import co.elastic.clients.elasticsearch._helpers.bulk.BulkIngester;
import co.elastic.clients.elasticsearch._helpers.bulk.BulkListener;
import co.elastic.clients.elasticsearch._types.Refresh;
import co.elastic.clients.elasticsearch.core.BulkRequest;
import co.elastic.clients.elasticsearch.core.BulkResponse;
import co.elastic.clients.json.jackson.JacksonJsonpMapper;
import co.elastic.clients.transport.BackoffPolicy;
import co.elastic.clients.transport.rest_client.RestClientTransport;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.http.HttpHost;
import org.elasticsearch.client.RestClient;

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
        try (var rest = RestClient.builder(HttpHost.create(url)).build();
                var transport = new RestClientTransport(rest, new JacksonJsonpMapper(mapper))) {
            var client = new ElasticsearchClient(transport);
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
