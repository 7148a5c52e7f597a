package io.github.rhosweep.spark;

import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import me.tongfei.progressbar.DelegatingProgressBarConsumer;
import me.tongfei.progressbar.ProgressBar;
import me.tongfei.progressbar.ProgressBarBuilder;
import me.tongfei.progressbar.ProgressBarStyle;
import org.jspecify.annotations.Nullable;

/** Tells on standard error how far a sweep is: a bar on a terminal, a line every few seconds elsewhere. */
final class Progress implements AutoCloseable {
    private static final int WIDTH = 100;

    /** How progress is shown. */
    enum Style {
        NONE,
        LINES,
        BAR
    }

    /**
     * How far it is.
     *
     * @param done points finished
     * @param failed points that failed
     * @param total points to do
     * @param runs rows of runs written
     * @param share of the estimated work that is done, 0 to 1; points differ in cost, so their number says little about time
     */
    record State(long done, long failed, long total, long runs, double share) {}

    private final PrintWriter err;
    private final Supplier<State> state;
    private final long startNs = System.nanoTime();
    private final ScheduledExecutorService timer;
    private final @Nullable ProgressBar bar;

    private Progress(Style style, PrintWriter err, long linePeriodMs, Supplier<State> state) {
        this.err = err;
        this.state = state;
        this.bar = style == Style.BAR ? bar(state.get().total()) : null;
        this.timer = Executors.newSingleThreadScheduledExecutor(task -> {
            Thread thread = new Thread(task, "progress");
            thread.setDaemon(true);
            return thread;
        });
        long periodMs = style == Style.BAR ? 250 : linePeriodMs;
        if (style != Style.NONE) {
            var unused = timer.scheduleAtFixedRate(this::show, periodMs, periodMs, TimeUnit.MILLISECONDS);
        }
    }

    /** Starts to tell; {@code state} is asked from another thread. */
    static Progress start(Style style, PrintWriter err, long linePeriodMs, Supplier<State> state) {
        return new Progress(style, err, linePeriodMs, state);
    }

    /** A bar if standard error is a terminal. */
    static Style styleFor(boolean quiet) {
        return quiet ? Style.NONE : errIsTerminal() ? Style.BAR : Style.LINES;
    }

    private static boolean errIsTerminal() {
        String term = System.getenv("TERM");
        if (term == null || term.equals("dumb")) {
            return false;
        }
        // System.console() speaks of standard input and output, and what it says differs among JDKs.
        Path fd = Path.of("/proc/self/fd/2");
        try {
            return Files.isSymbolicLink(fd)
                    && Files.readSymbolicLink(fd).toString().matches("/dev/(pts/\\d+|tty.*|console)");
        } catch (java.io.IOException | SecurityException unknown) {
            return false;
        }
    }

    private ProgressBar bar(long total) {
        return new ProgressBarBuilder()
                .setTaskName("points")
                .setInitialMax(total)
                .setStyle(ProgressBarStyle.ASCII)
                .setUpdateIntervalMillis(250)
                .setEtaFunction(unused -> Optional.ofNullable(eta(state.get())))
                .setConsumer(new DelegatingProgressBarConsumer(
                        text -> {
                            err.print("\r" + text);
                            err.flush();
                        },
                        WIDTH))
                .build();
    }

    private void show() {
        State now = state.get();
        if (bar != null) {
            bar.stepTo(now.done() + now.failed());
            bar.setExtraMessage(
                    (now.failed() > 0 ? " " + now.failed() + " failed" : "") + " " + perSecond(now) + " runs/s");
        } else {
            err.println(line(now));
        }
    }

    /** {@code 120 of 800 points done, 3 failed, 41.5 runs/s, 0:23 left}. */
    String line(State now) {
        Duration eta = eta(now);
        return now.done() + " of " + now.total() + " points done, " + now.failed() + " failed, " + perSecond(now)
                + " runs/s" + (eta == null ? "" : ", " + clock(eta) + " left");
    }

    private @Nullable Duration eta(State now) {
        if (now.share() <= 0) {
            return null;
        }
        double elapsed = System.nanoTime() - startNs;
        return Duration.ofNanos((long) (elapsed * (1 - Math.min(1, now.share())) / now.share()));
    }

    private String perSecond(State now) {
        return String.format(Locale.ROOT, "%.1f", now.runs() / ((System.nanoTime() - startNs) / 1e9));
    }

    /** {@code 1:02:03} or {@code 2:03}. */
    static String clock(Duration d) {
        return d.toHours() > 0
                ? String.format(Locale.ROOT, "%d:%02d:%02d", d.toHours(), d.toMinutesPart(), d.toSecondsPart())
                : String.format(Locale.ROOT, "%d:%02d", d.toMinutes(), d.toSecondsPart());
    }

    /** Stops telling; the last state stays on the terminal. */
    @Override
    public void close() {
        timer.shutdownNow();
        if (bar != null) {
            show();
            bar.close();
            err.println();
            err.flush();
        }
    }
}
