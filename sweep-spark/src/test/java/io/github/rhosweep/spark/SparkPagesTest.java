package io.github.rhosweep.spark;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.apache.spark.scheduler.SparkListener;
import org.apache.spark.scheduler.SparkListenerApplicationStart;
import org.apache.spark.scheduler.SparkListenerJobStart;
import org.apache.spark.scheduler.StageInfo;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import scala.jdk.javaapi.CollectionConverters;

/** What Spark's web pages call a sweep, its jobs and their stages. */
@Tag("integration")
class SparkPagesTest {
    private static final Queue<String> APPLICATIONS = new ConcurrentLinkedQueue<>();
    private static final Queue<String> JOBS = new ConcurrentLinkedQueue<>();
    private static final Queue<String> STAGES = new ConcurrentLinkedQueue<>();

    @TempDir
    private Path temp;

    /** Made by Spark, which asks for no arguments. */
    public static final class Names extends SparkListener {
        @Override
        public void onApplicationStart(SparkListenerApplicationStart start) {
            APPLICATIONS.add(start.appName());
        }

        @Override
        public void onJobStart(SparkListenerJobStart start) {
            JOBS.add(start.properties().getProperty("spark.job.description"));
            for (StageInfo stage : CollectionConverters.asJava(start.stageInfos())) {
                STAGES.add(stage.name());
            }
        }
    }

    @Test
    void jobsAndStages_sayWhatTheyDo() throws IOException {
        Path file = temp.resolve("pages.yaml");
        Files.writeString(file, "base: {measure.messages: 100}\nsweep: {traffic.load: [0.3, 0.6]}\n");
        Path out = temp.resolve("out");
        System.setProperty("spark.extraListeners", Names.class.getName());
        try {
            for (String loads : List.of("0.3", "0.3,0.6,0.9")) {
                Sweeps.run(
                                "run",
                                file,
                                "--out",
                                out,
                                "--sweep",
                                "traffic.load=" + loads,
                                "--master",
                                "local[2]",
                                "--quiet")
                        .expect(0);
            }
        } finally {
            System.clearProperty("spark.extraListeners");
        }
        assertThat(APPLICATIONS).containsOnly("rhosweep pages");
        assertThat(JOBS)
                .contains("pages: 1 point in 1 shard", "pages: what " + out + " holds", "pages: 3 points in 1 shard")
                .allMatch(name -> name.startsWith("pages: "));
        assertThat(STAGES).contains("run shards").containsOnly("run shards", "rows that are there");
    }
}
