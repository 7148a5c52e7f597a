package io.github.rhosweep.spark;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.rhosweep.report.Csv;
import io.github.rhosweep.result.Column;
import io.github.rhosweep.result.Row;
import io.github.rhosweep.scenario.Parameter.ColumnType;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import java.net.Socket;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.List;
import org.apache.spark.api.java.JavaSparkContext;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What docs/security.md promises of files that are written and ports that are opened. */
class SecurityTest {
    private static final Column TEXT = new Column("regime", ColumnType.STRING, "", "", "");
    private static final Column NUMBER = new Column("bias", ColumnType.DOUBLE, "", "", "");

    @ParameterizedTest
    @ValueSource(strings = {"=1+1", "+1", "-cmd|' /C calc'!A0", "@SUM(A1)", "\t=1", "\r=1"})
    void formulas_areTextInCsv(String text) {
        List<Column> columns = List.of(TEXT, NUMBER);
        String csv = Csv.of(List.of(new Row(columns, new Object[] {text, -1.5})));
        assertThat(csv.substring(csv.indexOf('\n') + 1))
                .matches("(?s)\"?'.*,-1\\.5\n")
                .contains("'" + text);
    }

    @Test
    void localSpark_asksForLoopback() {
        assertThat(SparkSetup.settings("x", "local[1]", true).clone().getenv("SPARK_LOCAL_IP"))
                .isEqualTo(System.getenv().getOrDefault("SPARK_LOCAL_IP", "127.0.0.1"));
    }

    @Test
    @Tag("integration")
    void webInterfaceOfALocalRun_answersOnLoopbackAlone() throws IOException {
        try (JavaSparkContext spark = SparkSetup.start("x", "local[1]", true)) {
            int port = URI.create(spark.sc().uiWebUrl().get()).getPort();
            connect(InetAddress.getByName("127.0.0.1"), port);
            for (NetworkInterface each : Collections.list(NetworkInterface.getNetworkInterfaces())) {
                for (InetAddress address : Collections.list(each.getInetAddresses())) {
                    if (!address.isLoopbackAddress()) {
                        assertThatThrownBy(() -> connect(address, port)).isInstanceOf(IOException.class);
                    }
                }
            }
        }
    }

    private static void connect(InetAddress address, int port) throws IOException {
        try (Socket socket = new Socket()) {
            socket.connect(new InetSocketAddress(address, port), 2000);
        }
    }

    /** Its master, workers and their web pages; StandaloneCluster finds the master there. */
    @Test
    void clusterOfThisMachine_isStartedOnLoopback() throws IOException {
        String script = Files.readString(Path.of("..", "scripts", "cluster"));
        assertThat(script).contains("SPARK_LOCAL_IP=127.0.0.1", "SPARK_PUBLIC_DNS=127.0.0.1");
        assertThat(script.lines()
                        .filter(line -> line.matches(".*spark\\.deploy\\.(master\\.Master|worker\\.Worker).*")))
                .hasSize(2)
                .allMatch(line -> line.contains("--host 127.0.0.1"));
    }
}
