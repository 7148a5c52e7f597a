package io.github.rhosweep.fuzz;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Wrong inputs are refused in lines that a person can act on: no other exception, no second of CPU time, no heap beyond that of the JVM.
 * {@code scripts/soak fuzz} runs the long form. What once failed stays in {@code src/test/resources/fuzz}, a folder a surface.
 */
class FuzzTest {
    /** Inputs in all, and what they are drawn from. */
    private static final int INPUTS = Integer.getInteger("rhosweep.fuzz.inputs", 2000);

    private static final long SEED = Long.getLong("rhosweep.fuzz.seed", 1);

    /** Which surfaces: names as a regular expression. */
    private static final String SURFACES = System.getProperty("rhosweep.fuzz.surfaces", ".*");

    /** Where inputs that fail are kept; nowhere if not given. */
    private static final @Nullable String KEPT = System.getProperty("rhosweep.fuzz.kept");

    private static final long MOST_CPU_NS = 1_000_000_000;
    private static final int MOST_FAULTS = 20;
    private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

    @TempDir
    private Path folder;

    /** An input on its way. */
    private record Attempt(int number, byte[] input, long cpuNs) {}

    static List<Surface> surfaces() {
        return Arrays.stream(Surface.values())
                .filter(surface -> surface.label().matches(SURFACES))
                .toList();
    }

    @ParameterizedTest
    @MethodSource("surfaces")
    void wrongInputs_areRefusedInOneLine(Surface surface) throws Exception {
        Mutator mutator = surface.mutator(Files.createDirectory(folder.resolve("valid")));
        int inputs = Math.max(1, (int) ((long) INPUTS * surface.share / 100));
        int[] refused = new int[1];
        Map<String, String> faults = new LinkedHashMap<>();
        long[] cpu = new long[1];
        watched(surface, (attempts, file) -> {
            for (int i = 0; i < inputs && faults.size() < MOST_FAULTS; i++) {
                // Each input can be made again by itself.
                Random random = new Random((SEED * 1_000_003 + i) * 31 + surface.ordinal());
                random.nextLong();
                byte[] input = surface.isText() ? mutator.text(random) : mutator.binary(random);
                long before = THREADS.getCurrentThreadCpuTime();
                attempts.set(new Attempt(i, input, before));
                Outcome outcome = tried(surface, file, input);
                long used = THREADS.getCurrentThreadCpuTime() - before;
                String fault = outcome.fault != null
                        ? outcome.fault
                        : used > MOST_CPU_NS ? "took " + used / 1_000_000 + " ms of CPU time" : null;
                cpu[0] += used;
                refused[0] += outcome.refused ? 1 : 0;
                if (fault != null
                        && faults.putIfAbsent(kind(outcome, fault), "seed " + SEED + ", input " + i + ": " + fault)
                                == null) {
                    keep(surface, i, input, outcome);
                }
            }
        });
        System.out.printf(
                Locale.ROOT,
                "%s: %d inputs, %d refused, seed %d, %d ms of CPU time%n",
                surface.label(),
                inputs,
                refused[0],
                SEED,
                cpu[0] / 1_000_000);
        assertThat(faults.values()).as("%s", surface.label()).isEmpty();
        assertThat(refused[0]).as("refused of %d", inputs).isPositive();
    }

    static Stream<Path> pastFailures() throws IOException {
        List<Path> all = new ArrayList<>();
        for (Surface surface : Surface.values()) {
            Path past = Surface.RESOURCES.resolve("fuzz").resolve(surface.label());
            if (Files.isDirectory(past)) {
                try (Stream<Path> inputs = Files.list(past)) {
                    all.addAll(inputs.sorted().toList());
                }
            }
        }
        return all.stream();
    }

    @ParameterizedTest
    @MethodSource("pastFailures")
    void pastFailures_areRefusedNow(Path input) throws Exception {
        Surface surface = Arrays.stream(Surface.values())
                .filter(s -> s.label().equals(String.valueOf(input.getParent().getFileName())))
                .findFirst()
                .orElseThrow();
        byte[] bytes = Files.readAllBytes(input);
        List<String> faults = new ArrayList<>();
        watched(surface, (attempts, file) -> {
            attempts.set(new Attempt(0, bytes, THREADS.getCurrentThreadCpuTime()));
            Outcome outcome = tried(surface, file, bytes);
            if (outcome.fault != null) {
                faults.add(outcome.fault);
            }
        });
        assertThat(faults).isEmpty();
    }

    /** Whether an input was refused, and what was wrong with how. */
    private record Outcome(
            boolean refused,
            @Nullable String fault,
            @Nullable Throwable thrown) {}

    private static Outcome tried(Surface surface, Path file, byte[] input) {
        try {
            surface.read(file, input);
            return new Outcome(false, null, null);
        } catch (Throwable thrown) { // errors too: they are what is looked for
            return new Outcome(true, Oracle.faultOf(thrown), thrown);
        }
    }

    @FunctionalInterface
    private interface Work {
        void run(AtomicReference<Attempt> attempts, Path file) throws Exception;
    }

    /** Runs in a thread of its own, and gives it up if one input takes it ten times what it may. */
    private void watched(Surface surface, Work work) throws Exception {
        AtomicReference<Attempt> attempts = new AtomicReference<>();
        AtomicReference<Throwable> failure = new AtomicReference<>();
        Path file = surface.file(folder);
        Thread worker = new Thread(() -> {
            try {
                work.run(attempts, file);
            } catch (Throwable thrown) {
                failure.set(thrown);
            }
        });
        worker.setDaemon(true);
        worker.start();
        while (worker.isAlive()) {
            worker.join(100);
            Attempt attempt = attempts.get();
            long cpu = THREADS.getThreadCpuTime(worker.getId());
            if (attempt != null && cpu - attempt.cpuNs > 10 * MOST_CPU_NS && attempts.get() == attempt) {
                StackTraceElement[] stack = worker.getStackTrace();
                keep(surface, attempt.number, attempt.input, new Outcome(false, "hangs", null));
                throw new AssertionError(surface.label() + ", seed " + SEED + ", input " + attempt.number
                        + " hangs, at " + Arrays.asList(stack).subList(0, Math.min(12, stack.length)));
            }
        }
        if (failure.get() != null) {
            throw new AssertionError(surface.label(), failure.get());
        }
    }

    /** Faults of one kind are told once. */
    private static String kind(Outcome outcome, String fault) {
        Throwable thrown = outcome.thrown;
        StackTraceElement[] stack = thrown == null ? new StackTraceElement[0] : thrown.getStackTrace();
        String place = Arrays.stream(stack)
                .filter(frame -> frame.getClassName().startsWith("io.github.rhosweep"))
                .findFirst()
                .map(StackTraceElement::toString)
                .orElse("");
        return (thrown == null
                        ? fault.replaceAll("[0-9]+", "")
                        : thrown.getClass().getName()) + " " + place;
    }

    private static void keep(Surface surface, int number, byte[] input, Outcome outcome) throws IOException {
        if (KEPT == null) {
            return;
        }
        Path kept = Files.createDirectories(Path.of(KEPT).resolve(surface.label()));
        Files.write(kept.resolve("seed" + SEED + "-" + number), input);
        StringWriter trace = new StringWriter();
        trace.append(outcome.fault).append('\n');
        if (outcome.thrown != null) {
            outcome.thrown.printStackTrace(new PrintWriter(trace));
        }
        Files.writeString(kept.resolve("seed" + SEED + "-" + number + ".why"), trace.toString());
    }
}
