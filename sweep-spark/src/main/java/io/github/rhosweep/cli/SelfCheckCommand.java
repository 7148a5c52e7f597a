package io.github.rhosweep.cli;

import io.github.rhosweep.check.Finding;
import io.github.rhosweep.check.SelfCheck;
import io.github.rhosweep.report.Json;
import io.github.rhosweep.report.TextTable;
import io.github.rhosweep.spark.SelfCheckCache;
import io.github.rhosweep.spark.SparkSetup;
import io.github.rhosweep.store.IoProblem;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.Serializable;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import org.apache.spark.api.java.JavaSparkContext;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code selfcheck}: the installed simulator, on the executors that would run a sweep, against theory. */
@Command(
        name = "selfcheck",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        description = {
            "Proves the installed simulator: runs it on Spark's executors and compares with what theory knows.",
            "%nThe outcome is remembered for this very program and Java, and stands in the manifest of every sweep; "
                    + "after a failed one `run` refuses. Equal digests mean equal results, bit for bit."
        },
        footerHeading = "%nExamples:%n",
        footer = {"  ${ROOT-COMMAND-NAME} selfcheck", "  spark-submit --master spark://host:7077 rhosweep.jar selfcheck"
        })
final class SelfCheckCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec;

    @Option(
            names = "--master",
            paramLabel = "URL",
            description = "Spark's master. Default: what spark-submit says, else local[*], all cores of this machine.")
    private @Nullable String master;

    @Option(names = "--json", description = "Print one JSON object: passed, digest and every value.")
    private boolean json;

    /** What a task found, and in which JVM. */
    private record Outcome(List<Finding> findings, String jvm, String java) implements Serializable {}

    @Override
    public Integer call() {
        PrintWriter out = spec.commandLine().getOut();
        long started = System.nanoTime();
        List<Outcome> outcomes = outcomes();
        double seconds = (System.nanoTime() - started) / 1e9;
        List<Finding> findings =
                outcomes.stream().flatMap(o -> o.findings().stream()).toList();
        boolean passed = findings.stream().allMatch(Finding::passed);
        String digest = SelfCheck.digest(findings);
        if (json) {
            out.println(Json.of(object(passed, digest, findings)));
        } else {
            print(out, findings);
            out.println();
            TreeSet<String> jvms =
                    new TreeSet<>(outcomes.stream().map(Outcome::jvm).toList());
            TreeSet<String> javas =
                    new TreeSet<>(outcomes.stream().map(Outcome::java).toList());
            out.println(String.format(
                    Locale.ROOT,
                    "%s %s: %d of %d values as theory has them, in %.0f s on %d %s (Java %s)",
                    passed ? "passed" : "FAILED",
                    digest,
                    findings.stream().filter(Finding::passed).count(),
                    findings.size(),
                    seconds,
                    jvms.size(),
                    jvms.size() == 1 ? "JVM" : "JVMs",
                    String.join(", ", javas)));
        }
        remember(passed, digest);
        return passed ? 0 : Errors.CHECK_FAILED;
    }

    private List<Outcome> outcomes() {
        // The longest come last in the list, and should begin first.
        List<SelfCheck> checks = new ArrayList<>(Arrays.asList(SelfCheck.values()));
        Collections.reverse(checks);
        try (JavaSparkContext spark = SparkSetup.start("selfcheck", master, false)) {
            List<Outcome> outcomes = new ArrayList<>(spark.parallelize(checks, checks.size())
                    .map(SelfCheckCommand::run)
                    .collect());
            Collections.reverse(outcomes);
            return outcomes;
        }
    }

    private static Outcome run(SelfCheck check) {
        List<Finding> findings;
        try {
            findings = check.run();
        } catch (RuntimeException | Error thrown) {
            // A simulator that breaks is what is sought; all other checks still have their say.
            findings = List.of(new Finding(check.id(), "threw " + thrown, Double.NaN, 0, 0, 0, "", "no exception"));
        }
        return new Outcome(
                new ArrayList<>(findings),
                ManagementFactory.getRuntimeMXBean().getName(),
                Runtime.version().toString());
    }

    private void remember(boolean passed, String digest) {
        PrintWriter err = spec.commandLine().getErr();
        SelfCheckCache cache = SelfCheckCache.ofThisProgram();
        if (cache == null) {
            err.println("the outcome is not remembered: it cannot be told from which file this program runs");
            return;
        }
        try {
            cache.remember(passed, digest);
        } catch (IOException e) {
            err.println("the outcome is not remembered: " + IoProblem.describe(e));
        }
    }

    private static void print(PrintWriter out, List<Finding> findings) {
        TextTable table = new TextTable("check", "what", ">value", ">expected", ">tolerance", "unit", "");
        for (Finding f : findings) {
            double tolerance = f.high() - f.expected();
            table.add(
                    f.check(),
                    f.what(),
                    Double.isNaN(f.value()) ? "none" : TextTable.number(f.value()),
                    (Double.isInfinite(f.high()) ? ">= " : "") + TextTable.number(f.expected()),
                    tolerance == 0 ? "exact" : Double.isInfinite(tolerance) ? "" : TextTable.number(tolerance),
                    f.unit(),
                    f.passed() ? "ok" : "FAILED");
        }
        table.print(out, "");
    }

    private static Map<String, Object> object(boolean passed, String digest, List<Finding> findings) {
        Map<String, Object> object = new LinkedHashMap<>();
        object.put("passed", passed);
        object.put("digest", digest);
        List<Map<String, @Nullable Object>> values = new ArrayList<>();
        for (Finding f : findings) {
            Map<String, @Nullable Object> value = new LinkedHashMap<>();
            value.put("check", f.check());
            value.put("what", f.what());
            value.put("value", finite(f.value()));
            value.put("expected", finite(f.expected()));
            value.put("low", finite(f.low()));
            value.put("high", finite(f.high()));
            value.put("unit", f.unit());
            value.put("tolerance", f.tolerance());
            value.put("passed", f.passed());
            values.add(value);
        }
        object.put("values", values);
        return object;
    }

    /** JSON has neither NaN nor infinities. */
    private static @Nullable Double finite(double value) {
        return Double.isFinite(value) ? Double.valueOf(value) : null;
    }
}
