package io.github.rhosweep.spark;

import io.github.rhosweep.scenario.InvalidValueException;
import java.nio.file.Path;
import org.apache.spark.SparkConf;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.sql.SparkSession;
import org.jspecify.annotations.Nullable;
import scala.Tuple2;

/** Starts Spark: embedded on this machine's cores unless told otherwise, with nothing that a sweep does not need. */
public final class SparkSetup {
    private static final String MAIN_CLASS = "io.github.rhosweep.cli.Main";

    /** One and a half times the 300 MiB that Spark keeps for itself. */
    private static final long LEAST_MEMORY = 450L << 20;

    private SparkSetup() {}

    /**
     * Starts a session, for what Spark SQL and MLlib do; a sweep does without.
     *
     * @param master as of {@link #start}
     */
    public static SparkSession session(@Nullable String master) {
        JavaSparkContext context = start("fit", master, false);
        // On one machine a partition a core is enough; more would cost a task each.
        return SparkSession.builder()
                .sparkContext(context.sc())
                .config("spark.sql.shuffle.partitions", context.defaultParallelism())
                .config("spark.sql.debug.maxToStringFields", 1000)
                .getOrCreate();
    }

    /**
     * Starts a context.
     *
     * @param name what is run, for Spark's web pages
     * @param master Spark's master URL; null: what spark-submit says, else all cores of this machine
     * @param ui whether to serve Spark's web UI
     */
    public static JavaSparkContext start(String name, @Nullable String master, boolean ui) {
        SparkConf settings = settings(name, master, ui);
        requireMemory(settings, Runtime.getRuntime().maxMemory());
        return new JavaSparkContext(settings);
    }

    /**
     * Checks that Spark will start with the heap of this JVM, before anything is written.
     *
     * @param master as of {@link #start}
     * @throws InvalidValueException saying how much it takes
     */
    public static void requireMemory(@Nullable String master) {
        requireMemory(settings("", master, false), Runtime.getRuntime().maxMemory());
    }

    /** The rule of Spark's UnifiedMemoryManager, which tells it in several lines. */
    static void requireMemory(SparkConf settings, long heapBytes) {
        if (heapBytes < LEAST_MEMORY) {
            throw new InvalidValueException(
                    "the heap of this JVM is " + (heapBytes >> 20) + " MiB, Spark takes at least "
                            + (LEAST_MEMORY >> 20) + " MiB. Maybe allow more: RHOSWEEP_JAVA_OPTS=-Xmx512m"
                            + " (spark-submit: --driver-memory 512m)");
        }
        long executor = settings.getSizeAsBytes("spark.executor.memory", "1g");
        if (executor < LEAST_MEMORY) {
            throw new InvalidValueException("spark.executor.memory is " + (executor >> 20)
                    + " MiB, Spark takes at least " + (LEAST_MEMORY >> 20) + " MiB. Maybe allow more: 512m");
        }
    }

    static SparkConf settings(String name, @Nullable String master, boolean ui) {
        SparkConf conf = new SparkConf();
        // spark-submit's default is the class's name or the jar's; another one is somebody's wish.
        String given = conf.get("spark.app.name", MAIN_CLASS);
        boolean chosen = !given.equals(MAIN_CLASS) && !given.equals("rhosweep.jar");
        conf.setAppName(chosen ? given : "rhosweep " + name);
        if (master != null) {
            conf.setMaster(master);
        }
        conf.setIfMissing("spark.master", "local[*]");
        String url = conf.get("spark.master");
        boolean oneProcess = url.startsWith("local[") || url.equals("local");
        if (oneProcess || url.matches("spark://(127\\.0\\.0\\.1|localhost):.*")) {
            // All on this machine: no name needs resolving, no port needs opening to the world.
            conf.setIfMissing("spark.driver.host", "localhost");
            conf.setIfMissing("spark.driver.bindAddress", "127.0.0.1");
        }
        if (oneProcess) {
            conf = new LoopbackConf(conf);
        } else {
            forCluster(conf);
        }
        conf.setIfMissing("spark.ui.enabled", Boolean.toString(ui));
        conf.set("spark.ui.showConsoleProgress", "false");
        // What the driver keeps of each task: little where nobody looks at it, and never its counters twice.
        if (!conf.getBoolean("spark.ui.enabled", ui)) {
            conf.setIfMissing("spark.ui.retainedTasks", "100");
        }
        conf.setIfMissing("spark.scheduler.dropTaskInfoAccumulablesOnTaskCompletion.enabled", "true");
        conf.setIfMissing("spark.metrics.staticSources.enabled", "false");
        conf.setIfMissing("spark.metrics.executorMetricsSource.enabled", "false");
        return conf;
    }

    /**
     * Settings of a Spark whose web UI is for this machine alone. It listens on every address unless the environment has {@code
     * SPARK_LOCAL_IP}, which no setting stands for; this is where it asks.
     */
    private static final class LoopbackConf extends SparkConf {
        LoopbackConf(SparkConf settings) {
            super(false);
            for (Tuple2<String, String> setting : settings.getAll()) {
                set(setting._1(), setting._2());
            }
        }

        @Override
        public String getenv(String name) {
            String given = super.getenv(name);
            return given == null && name.equals("SPARK_LOCAL_IP") ? "127.0.0.1" : given;
        }

        /** Contexts keep a copy. */
        @Override
        @SuppressWarnings({"MissingSuperCall", "ProperClone"}) // Scala's does not call it either
        public SparkConf clone() {
            return new LoopbackConf(this);
        }
    }

    private static void forCluster(SparkConf conf) {
        // Executors may die many times, of points that are then quarantined one by one; exceptions are counted by
        // TaskFailures.
        conf.setIfMissing("spark.task.maxFailures", "100");
        conf.setIfMissing("spark.stage.maxConsecutiveAttempts", "100");
        Path jar = BuildInfo.jar();
        if (jar != null) {
            // spark-submit says so too; without it executors would not find our classes.
            conf.setIfMissing("spark.jars", jar.toUri().toString());
        }
    }
}
