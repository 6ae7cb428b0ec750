import java.io.IOException;
import java.util.List;
import java.util.Map;
import org.opensearch.analysis.common.CommonAnalysisPlugin;
import org.opensearch.common.settings.Settings;
import org.opensearch.index.mapper.MapperExtrasPlugin;
import org.opensearch.index.reindex.ReindexPlugin;
import org.opensearch.node.InternalSettingsPreparer;
import org.opensearch.painless.PainlessPlugin;
import org.opensearch.percolator.PercolatorPlugin;
import org.opensearch.plugins.Plugin;
import org.opensearch.script.expression.ExpressionPlugin;
import org.opensearch.transport.Netty4Plugin;

/**
 * Runs a node of an OpenSearch cluster until its standard input closes, as it does when the tests end, however they end.
 *
 * <p>A distribution loads its modules from folders and checks the machine before it starts, which is not to be had from
 * Maven; here they are on the class path. Arguments are settings: {@code http.port=9200}.
 */
public final class Node extends org.opensearch.node.Node {
  private static final List<Class<? extends Plugin>> MODULES =
      List.of(
          Netty4Plugin.class,
          CommonAnalysisPlugin.class,
          PainlessPlugin.class,
          ExpressionPlugin.class,
          MapperExtrasPlugin.class, // rank_features
          PercolatorPlugin.class,
          ReindexPlugin.class);

  private Node(Settings settings) {
    super(
        InternalSettingsPreparer.prepareEnvironment(settings, Map.of(), null, () -> "node"),
        MODULES,
        false);
  }

  /** Starts the node, waits for the end of standard input and closes the node in order. */
  public static void main(String[] arguments) throws Exception {
    Settings.Builder settings = Settings.builder();
    for (String argument : arguments) {
      String[] pair = argument.split("=", 2);
      if (pair[1].contains(",")) {
        settings.putList(pair[0], pair[1].split(","));
      } else {
        settings.put(pair[0], pair[1]);
      }
    }
    try (Node node = new Node(settings.build())) {
      node.start();
      waitForEnd();
    }
    System.exit(0); // threads of libraries may still run
  }

  private static void waitForEnd() throws IOException {
    while (System.in.read() >= 0) {
      // What is written to a node means nothing to it.
    }
  }
}
