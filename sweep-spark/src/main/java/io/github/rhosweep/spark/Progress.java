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
public final class Progress implements AutoCloseable {
    private static final int WIDTH = 100;
    private static final long TICK_MS = 250;
    private static final long LINE_NS = 5_000_000_000L;

    /** How progress is shown. */
    public enum Style {
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

    private final Style style;
    private final PrintWriter err;
    private final Supplier<State> state;
    private final long startNs = System.nanoTime();
    private final ScheduledExecutorService timer;
    private final @Nullable ProgressBar bar;
    private long lastLineNs = startNs;

    private Progress(Style style, PrintWriter err, Supplier<State> state) {
        this.style = style;
        this.err = err;
        this.state = state;
        this.bar = style == Style.BAR ? bar(state.get().total()) : null;
        this.timer = Executors.newSingleThreadScheduledExecutor(task -> {
            Thread thread = new Thread(task, "progress");
            thread.setDaemon(true);
            return thread;
        });
        var unused = timer.scheduleAtFixedRate(this::tick, TICK_MS, TICK_MS, TimeUnit.MILLISECONDS);
    }

    /** Starts to tell; {@code state} is asked from another thread several times a second, whatever the style. */
    static Progress start(Style style, PrintWriter err, Supplier<State> state) {
        return new Progress(style, err, state);
    }

    /** A bar if standard error is a terminal. */
    public static Style styleFor(boolean quiet) {
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

    private void tick() {
        State now = state.get();
        if (style == Style.BAR) {
            show(now);
        } else if (style == Style.LINES && System.nanoTime() - lastLineNs >= LINE_NS) {
            lastLineNs = System.nanoTime();
            show(now);
        }
    }

    private void show(State now) {
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
        if (now.share() <= 0 || now.done() + now.failed() >= now.total()) {
            return null;
        }
        double elapsed = System.nanoTime() - startNs;
        return Duration.ofNanos((long) (elapsed * Math.max(0, 1 - now.share()) / now.share()));
    }

    private String perSecond(State now) {
        return String.format(Locale.ROOT, "%.1f", now.runs() / ((System.nanoTime() - startNs) / 1e9));
    }

    /** {@code 1:02:03} or {@code 2:03}. */
    public static String clock(Duration d) {
        return d.toHours() > 0
                ? String.format(Locale.ROOT, "%d:%02d:%02d", d.toHours(), d.toMinutesPart(), d.toSecondsPart())
                : String.format(Locale.ROOT, "%d:%02d", d.toMinutes(), d.toSecondsPart());
    }

    /** Tells the last state. */
    void finish() {
        if (style != Style.NONE) {
            show(state.get());
        }
    }

    /** Stops telling. */
    @Override
    public void close() {
        timer.shutdownNow();
        if (bar != null) {
            bar.close();
            err.println();
            err.flush();
        }
    }
}
