package io.github.rhosweep.spark;

import io.github.rhosweep.design.ExperimentSpec;
import io.github.rhosweep.scenario.InputFile;
import io.github.rhosweep.scenario.SemanticsVersion;
import io.github.rhosweep.scenario.Text;
import io.github.rhosweep.store.FolderRefusedException;
import io.github.rhosweep.store.IoProblem;
import io.github.rhosweep.store.Location;
import io.github.rhosweep.store.Manifest;
import io.github.rhosweep.store.Manifest.Counts;
import io.github.rhosweep.store.ResultsFolder;
import io.github.rhosweep.store.RowReader;
import io.github.rhosweep.store.Table;
import java.io.IOException;
import java.io.PrintWriter;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import org.apache.logging.log4j.Level;
import org.apache.logging.log4j.core.config.Configurator;
import org.apache.spark.HashPartitioner;
import org.apache.spark.api.java.JavaPairRDD;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.broadcast.Broadcast;
import org.apache.spark.package$;
import org.jspecify.annotations.Nullable;
import scala.Tuple2;

/** Runs an experiment into a results folder: what has no row there yet, fanned out over Spark. */
public final class SweepJob {
    private static final String JOB_GROUP = "rhosweep";

    /** Fewer failures than these never stop a sweep. */
    private static final long FEWEST_FAILURES = 20;

    private final ExperimentSpec experiment;
    private final Options options;
    private final PrintWriter err;
    private final InstantSource clock;
    private final ResultsFolder folder;

    /** Written by this thread, read by the shutdown hook. */
    private volatile Manifest manifest;

    private volatile boolean gaveUp;

    /** Whether the allowance is spent. */
    private volatile boolean spent;

    /** Whether there is a job that could be cancelled: Spark complains of another's end. */
    private volatile boolean underWay;

    private volatile long failedBefore;

    private double cpuSeconds;

    /**
     * How to run.
     *
     * @param out the results folder
     * @param master Spark's master URL; null: the default
     * @param ui whether to serve Spark's web UI
     * @param progress how progress is shown
     * @param retryFailed whether points that failed earlier are tried again
     * @param anySemantics whether a folder of another version of the simulator may be added to
     * @param allowance what may be spent; null: what it takes
     */
    public record Options(
            Location out,
            @Nullable String master,
            boolean ui,
            Progress.Style progress,
            boolean retryFailed,
            boolean anySemantics,
            @Nullable Allowance allowance) {}

    /**
     * What part of an experiment may be run.
     *
     * @param cpuSeconds after which no further shard is begun; those under way are dropped
     * @param leastWidth a point that has runs gets more only if its interval is at least so many times as wide as asked
     * @param whole the experiment that this is a part of, which the folder's files tell of
     */
    public record Allowance(double cpuSeconds, double leastWidth, ExperimentSpec whole) {}

    /** Prepares to run; nothing is touched yet. */
    public SweepJob(ExperimentSpec experiment, Options options, PrintWriter err) {
        this(experiment, options, err, InstantSource.system());
    }

    /** @param clock tells when the sweep began and ended, for people: nothing depends on it, and it may go back */
    public SweepJob(ExperimentSpec experiment, Options options, PrintWriter err, InstantSource clock) {
        this.experiment = experiment;
        this.options = options;
        this.err = err;
        this.clock = clock;
        this.folder = new ResultsFolder(options.out());
        this.manifest = newManifest(1);
    }

    private Manifest newManifest(int invocation) {
        BuildInfo build = BuildInfo.load();
        return new Manifest(
                Manifest.SCHEMA_VERSION,
                SemanticsVersion.CURRENT,
                experiment.name(),
                build.version(),
                build.commit(),
                Runtime.version().toString(),
                package$.MODULE$.SPARK_VERSION(),
                invocation,
                now(),
                null,
                "running",
                new Counts(experiment.points(), 0, 0, 0, 0),
                selfCheck(),
                null,
                null);
    }

    private static String selfCheck() {
        SelfCheckCache cache = SelfCheckCache.ofThisProgram();
        return cache == null ? SelfCheckCache.NOT_RUN : cache.state();
    }

    /**
     * Runs, perhaps as one of several that nobody else shall come between.
     *
     * @param lock of the folder; it stays the caller's
     * @return the manifest as it stands in the folder
     * @throws FolderRefusedException if the folder must not be used so; nothing was changed then
     * @throws IOException if it cannot be written
     */
    public Manifest run(ResultsFolder.Lock lock) throws IOException {
        begin();
        Thread hook = new Thread(() -> stopped(lock), "stopped");
        Runtime.getRuntime().addShutdownHook(hook);
        try {
            fanOut(lock);
            folder.recover();
            if (gaveUp || spent) {
                recount();
            }
            end(gaveUp ? "gave_up" : spent ? "budget" : manifest.counts().failed() > 0 ? "incomplete" : "complete");
            return manifest;
        } catch (Exception broken) { // Scala throws checked exceptions undeclared
            if (!remove(hook)) {
                // What broke did so because the JVM is going down; its exit code is the signal's.
                while (true) {
                    LockSupport.park();
                }
            }
            endQuietly("broken", broken);
            throw broken;
        } finally {
            remove(hook);
        }
    }

    /** False if the JVM is going down already. */
    private static boolean remove(Thread hook) {
        try {
            Runtime.getRuntime().removeShutdownHook(hook);
            return true;
        } catch (IllegalStateException goingDown) {
            return false;
        }
    }

    private void begin() throws IOException {
        Manifest before = folder.manifest();
        if (before != null) {
            if (before.semanticsVersion() != SemanticsVersion.CURRENT && !options.anySemantics()) {
                throw new FolderRefusedException(folder.dir() + " holds results of version "
                        + before.semanticsVersion() + " of the simulator, this is version " + SemanticsVersion.CURRENT
                        + ": their rows are not comparable. Choose another --out, or add with --any-semantics");
            }
            // An old manifest, restored say, must not give files names that others bear already.
            manifest = newManifest(Math.max(before.invocation(), folder.lastInvocation()) + 1)
                    .compacted(before.compacted());
        }
        folder.recover();
        folder.requirePairs();
        folder.write(manifest);
        ExperimentSpec whole =
                options.allowance() == null ? experiment : options.allowance().whole();
        folder.writeText("experiment.yaml", whole.inputYaml());
        for (InputFile file : experiment.inputFiles().values()) {
            folder.write(file);
        }
        folder.writeText("effective.yaml", whole.effectiveYaml());
    }

    private void fanOut(ResultsFolder.Lock lock) throws IOException {
        boolean resumed = !folder.files(Table.POINTS).isEmpty()
                || !folder.files(Table.FAILURES).isEmpty();
        try (JavaSparkContext spark = SparkSetup.start(experiment.name(), options.master(), options.ui())) {
            Allowance allowance = options.allowance();
            List<Shard> cut = Shard.cut(experiment, spark.defaultParallelism());
            List<Shard> shards = allowance == null ? cut : Shard.spread(cut);
            double leastWidth = allowance == null ? 0 : allowance.leastWidth();
            spark.setJobGroup(JOB_GROUP, experiment.name() + ": what " + folder.dir() + " holds", true);
            spark.setCallSite("rows that are there");
            FolderState.Joined joined = resumed
                    ? FolderState.join(spark, folder, experiment, shards, options.retryFailed(), leastWidth)
                    : null;
            Counts start = joined == null
                    ? manifest.counts()
                    : new Counts(
                            experiment.points(),
                            0,
                            joined.count(Known.Kind.FAILED),
                            joined.count(Known.Kind.FINISHED),
                            0);
            failedBefore = start.failed();
            manifest = manifest.with(start);
            if (start.failed() + start.skipped() < start.planned()) {
                spark.setJobGroup(
                        JOB_GROUP,
                        experiment.name() + ": " + Text.count(experiment.points(), "point") + " in "
                                + Text.count(shards.size(), "shard"),
                        true);
                spark.setCallSite("run shards");
                execute(spark, shards, joined, start, lock);
                countUnchanged();
            }
        } catch (Exception broken) {
            silenceLogs();
            throw broken;
        }
    }

    private void execute(
            JavaSparkContext spark,
            List<Shard> shards,
            FolderState.@Nullable Joined joined,
            Counts start,
            ResultsFolder.Lock lock)
            throws IOException {
        TaskFailures failures = new TaskFailures(spark.sc(), JOB_GROUP);
        spark.sc().addSparkListener(failures);
        ShardTask.Counters counters = new ShardTask.Counters(
                spark.sc().longAccumulator(),
                spark.sc().longAccumulator(),
                spark.sc().longAccumulator(),
                spark.sc().doubleAccumulator(),
                spark.sc().doubleAccumulator());
        // Read back once an executor, not once a task: an axis of many values takes a while.
        Broadcast<ExperimentSpec> everywhere = spark.broadcast(experiment);
        ShardTask task = new ShardTask(everywhere, folder.dir(), manifest.invocation(), counters);
        double seconds = shards.stream().mapToDouble(Shard::seconds).sum();
        long toDo = start.planned() - start.skipped() - start.failed();
        try (Progress progress = Progress.start(options.progress(), err, () -> {
            count(start, counters);
            giveUpBeyond(counters.failed().value(), toDo, spark);
            Allowance allowance = options.allowance();
            if (allowance != null && underWay && !spent && counters.cpu().value() >= allowance.cpuSeconds()) {
                spent = true;
                cancel(spark);
            }
            if (!lock.isHeld()) {
                cancel(spark);
            }
            return new Progress.State(
                    counters.done().value(),
                    counters.failed().value(),
                    toDo,
                    counters.runs().value(),
                    counters.seconds().value() / seconds);
        })) {
            underWay = true;
            if (joined == null) {
                spark.parallelize(shards, shards.size()).foreach(shard -> task.run(shard, List.of()));
            } else {
                HashPartitioner byId = new HashPartitioner(shards.size());
                JavaPairRDD<Integer, Shard> keyed =
                        spark.parallelize(shards).mapToPair(shard -> new Tuple2<>(shard.id(), shard));
                keyed.cogroup(joined.byShard(), byId).foreach(entry -> {
                    for (Shard shard : entry._2._1) {
                        task.run(shard, entry._2._2);
                    }
                });
            }
            underWay = false;
            progress.finish();
        } catch (Exception cancelled) {
            if (!gaveUp && !spent) {
                silenceLogs();
                if (failures.cause() != null) {
                    throw new JobEndedException(failures.cause());
                }
                if (!lock.isHeld()) {
                    throw new FolderRefusedException(folder.dir()
                            + " has been taken over by another run: this one gave no sign of life for half a minute");
                }
                throw cancelled;
            }
        }
        count(start, counters);
        cpuSeconds = counters.cpu().value();
    }

    /** CPU time that the runs of the committed shards took. */
    double cpuSeconds() {
        return cpuSeconds;
    }

    private void count(Counts start, ShardTask.Counters counters) {
        manifest = manifest.with(new Counts(
                start.planned(),
                counters.done().value(),
                start.failed() + counters.failed().value(),
                start.skipped(),
                counters.runs().value()));
    }

    /** After a cancelled job, from the files: shards that were committed just before were counted no more. */
    private void recount() throws IOException {
        Counts counts = manifest.counts();
        manifest = manifest.with(new Counts(
                counts.planned(),
                rowsOfThisInvocation(Table.POINTS),
                failedBefore + rowsOfThisInvocation(Table.FAILURES),
                counts.skipped(),
                rowsOfThisInvocation(Table.RUNS)));
    }

    /** After all shards: points whose earlier runs meet this file's wishes, which only the runs could tell. */
    private void countUnchanged() {
        Counts counts = manifest.counts();
        if (!gaveUp && !spent) {
            manifest = manifest.with(new Counts(
                    counts.planned(),
                    counts.done(),
                    counts.failed(),
                    counts.planned() - counts.done() - counts.failed(),
                    counts.runs()));
        }
    }

    private void giveUpBeyond(long failed, long toDo, JavaSparkContext spark) {
        if (!gaveUp && failed >= FEWEST_FAILURES && failed > experiment.failureFraction() * toDo) {
            gaveUp = true;
            cancel(spark);
        }
    }

    private void cancel(JavaSparkContext spark) {
        if (underWay) {
            spark.sc().cancelJobGroup(JOB_GROUP);
        }
    }

    private void end(String status) throws IOException {
        manifest = manifest.ended(now(), status);
        folder.write(manifest);
    }

    /** After something has broken: that is what the user must learn of, not that the manifest could not tell. */
    private void endQuietly(String status, Exception broken) {
        try {
            end(status);
        } catch (IOException alsoBroken) {
            broken.addSuppressed(alsoBroken);
        }
    }

    /** Runs while the JVM goes down, after Ctrl-C say. Running shards are dropped, committed ones stay. */
    private void stopped(ResultsFolder.Lock lock) {
        silenceLogs();
        try {
            recount();
            end("stopped");
            lock.close();
        } catch (IOException e) {
            err.println(IoProblem.describe(e));
        }
        err.println("stopped; " + manifest.counts().done()
                + " points of this run are kept. The same command goes on from there");
        err.flush();
    }

    /** Spark complains of being torn down while tasks run, which is no news: what ends the sweep is told already. */
    private static void silenceLogs() {
        Configurator.setAllLevels("", Level.OFF);
    }

    private long rowsOfThisInvocation(Table table) throws IOException {
        long rows = 0;
        for (Location file : folder.files(table)) {
            if (file.name().startsWith(Shard.prefix(manifest.invocation()))) {
                rows += RowReader.count(file);
            }
        }
        return rows;
    }

    private String now() {
        return clock.instant().truncatedTo(ChronoUnit.SECONDS).toString();
    }
}
