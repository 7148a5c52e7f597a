package io.github.rhosweep.cli;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.github.rhosweep.spark.BuildInfo;
import io.github.rhosweep.store.Location;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintWriter;
import java.net.URI;
import java.net.URL;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.core.LoggerContext;
import org.apache.logging.log4j.core.config.Configurator;
import org.apache.logging.log4j.core.config.DefaultConfiguration;
import org.apache.spark.package$;
import org.apache.spark.util.Utils$;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.IVersionProvider;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ScopeType;
import picocli.CommandLine.Spec;
import picocli.CommandLine.TypeConversionException;

/** The command line: one verb a subcommand. */
@Command(
        name = "rhosweep",
        mixinStandardHelpOptions = true,
        subcommands = {
            RunCommand.class,
            PlanCommand.class,
            OnceCommand.class,
            ReplayCommand.class,
            ExplainCommand.class,
            VerifyCommand.class,
            ScreenCommand.class,
            WindowsCommand.class,
            RefineCommand.class,
            MergeCommand.class,
            CompactCommand.class,
            RerunCommand.class,
            SummaryCommand.class,
            PlotCommand.class,
            ReportCommand.class,
            FitCommand.class,
            PredictCommand.class,
            CompareCommand.class,
            DatasetCommand.class,
            ParametersCommand.class,
            ColumnsCommand.class,
            SelfCheckCommand.class,
            ClaimsCommand.class,
            CompletionCommand.class
        },
        versionProvider = Main.Version.class,
        description = {
            "Sweeps a packet-level switch simulator over a grid of settings on Spark, with the "
                    + "prediction of every analytic model beside each run, into Parquet."
        },
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {
            "0:all rows are there",
            "1:some runs failed (they are rows too)",
            "2:bad input; nothing was written",
            "3:infrastructure: disk, cluster",
            "4:a check failed",
            "130, 143:stopped"
        })
public final class Main implements Runnable {

    @Spec
    private CommandSpec spec;

    @Option(
            names = "--debug",
            scope = ScopeType.INHERIT,
            description = "Show where in the program an error arose, beside what it was.")
    private boolean debug;

    /** Examples must not be broken within a line; a narrower terminal wraps by itself. */
    private static final int HELP_WIDTH = 94 + Math.max(16, BuildInfo.COMMAND.length());

    private Main() {}

    /** Runs the command line and leaves the JVM with its exit code. */
    public static void main(String[] args) {
        Locale.setDefault(Locale.ROOT);
        useOurLogSettings();
        PrintWriter err = new PrintWriter(System.err, true, UTF_8);
        Output output = new Output(new FileOutputStream(FileDescriptor.out));
        PrintWriter out = new PrintWriter(output, true, UTF_8);
        int code = execute(args, out, err);
        out.flush();
        if (output.failure != null) {
            err.println("standard output: " + output.failure.getMessage());
            code = code == 0 ? Errors.INFRASTRUCTURE : code;
        }
        System.exit(code);
    }

    /** spark-submit sets up logging before this jar is there. What the user has configured stays; Spark's defaults and log4j's go. */
    private static void useOurLogSettings() {
        URL ours = Main.class.getResource("/log4j2.properties");
        if (ours != null
                && LogManager.getContext(false) instanceof LoggerContext context
                && (context.getConfiguration() instanceof DefaultConfiguration
                        || String.valueOf(context.getConfiguration()
                                        .getConfigurationSource()
                                        .getLocation())
                                .contains("org/apache/spark/log4j2-defaults"))) {
            // Else Spark would set up its own again when a context starts.
            Utils$.MODULE$.initializeLogIfNecessary(false, true);
            Configurator.reconfigure(URI.create(ours.toString()));
        }
    }

    /** Remembers that a result could not be written, which print writers do not tell; a reader that has seen enough is no failure. */
    private static final class Output extends FilterOutputStream {
        private @Nullable IOException failure;

        Output(OutputStream to) {
            super(to);
        }

        @Override
        public void write(int b) throws IOException {
            write(new byte[] {(byte) b}, 0, 1);
        }

        @Override
        public void write(byte[] bytes, int from, int length) throws IOException {
            try {
                out.write(bytes, from, length);
            } catch (IOException e) {
                if (failure == null && !"Broken pipe".equals(e.getMessage())) {
                    failure = e;
                }
                throw e;
            }
        }
    }

    /** Hadoop's settings come as everything for Spark does: {@code --conf spark.hadoop.fs.s3a.endpoint=...} or -D with that name. */
    private static Location location(String text) {
        String prefix = "spark.hadoop.";
        Map<String, String> settings = new TreeMap<>();
        for (String name : System.getProperties().stringPropertyNames()) {
            if (name.startsWith(prefix)) {
                settings.put(name.substring(prefix.length()), System.getProperty(name));
            }
        }
        try {
            return Location.parse(text, settings);
        } catch (IllegalArgumentException bad) {
            throw new TypeConversionException(String.valueOf(bad.getMessage()));
        }
    }

    /** What the command line is made of. */
    static CommandLine commandLine() {
        Main main = new Main();
        Errors errors = new Errors(() -> main.debug);
        return new CommandLine(main)
                .setCommandName(BuildInfo.COMMAND)
                .setUsageHelpWidth(HELP_WIDTH)
                .setCaseInsensitiveEnumValuesAllowed(true)
                .registerConverter(Location.class, Main::location)
                .setExecutionExceptionHandler(errors)
                .setParameterExceptionHandler(errors);
    }

    /** Runs the command line and returns its exit code. */
    public static int execute(String[] args, PrintWriter out, PrintWriter err) {
        CommandLine command = commandLine().setOut(out).setErr(err);
        try {
            return command.execute(args);
        } catch (OutOfMemoryError outOfMemory) {
            err.println("out of memory with a heap of " + (Runtime.getRuntime().maxMemory() >> 20)
                    + " MiB. Maybe allow more: RHOSWEEP_JAVA_OPTS=-Xmx4g");
            return Errors.INFRASTRUCTURE;
        }
    }

    @Override
    public void run() {
        throw new ParameterException(spec.commandLine(), "a command is missing");
    }

    static final class Version implements IVersionProvider {
        @Override
        public String[] getVersion() {
            BuildInfo build = BuildInfo.load();
            return new String[] {
                "rhosweep " + build.version(),
                "commit   " + build.commit(),
                "Spark    " + package$.MODULE$.SPARK_VERSION(),
                "Java     " + Runtime.version() + " (" + System.getProperty("java.vm.name") + ")"
            };
        }
    }
}
