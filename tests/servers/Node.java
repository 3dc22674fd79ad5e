import org.codelibs.opensearch.runner.OpenSearchRunner;
import org.opensearch.common.settings.Settings;

import java.nio.file.Path;

/** Runs one node with the settings of HOME/config/opensearch.yml, all of them: java Node.java HOME PORT */
public class Node {
    public static void main(String[] arguments) throws Exception {
        Path home = Path.of(arguments[0]);
        Settings settings = Settings.builder().loadFromPath(home.resolve("config/opensearch.yml")).build();
        OpenSearchRunner runner = new OpenSearchRunner();
        runner.onBuild((number, builder) -> builder.put(settings)
                .put("discovery.type", "zen")
                .put("http.port", arguments[1]))
            .build(OpenSearchRunner.newConfigs()
                .basePath(home.toString())
                .clusterName(settings.get("cluster.name"))
                .numOfNode(1));
        Runtime.getRuntime().addShutdownHook(new Thread(() -> {
            try {
                runner.close();
            } catch (Exception error) {
                error.printStackTrace();
            }
        }));
        Thread.currentThread().join();
    }
}
