package io.github.rhosweep.store;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.NoSuchFileException;
import java.util.UUID;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A lock where no operating system watches: a file that its holder rewrites every few seconds. One that stays as it is for longer
 * than {@link #LAPSE_NS} was left behind by a run that died, and is taken over. Only time that passes here is measured; the clocks of other
 * machines are not trusted.
 */
final class HeartbeatLock implements Storage.Held {
    private static final long BEAT_NS = TimeUnit.SECONDS.toNanos(5);
    static final long LAPSE_NS = TimeUnit.SECONDS.toNanos(30);
    private static final long LOOK_NS = TimeUnit.SECONDS.toNanos(1);

    private final HadoopStorage storage;
    private final Location file;
    private final String token;
    private final ScheduledExecutorService timer;
    private long beats;
    private volatile boolean lost;
    private volatile long lastBeatNs = System.nanoTime();

    private HeartbeatLock(HadoopStorage storage, Location file, String token) {
        this.storage = storage;
        this.file = file;
        this.token = token;
        this.timer = Executors.newSingleThreadScheduledExecutor(task -> {
            Thread thread = new Thread(task, "lock");
            thread.setDaemon(true);
            return thread;
        });
        var unused = timer.scheduleAtFixedRate(this::beat, BEAT_NS, BEAT_NS, TimeUnit.NANOSECONDS);
    }

    /** Waits, if there is a lock, until it is known whether its holder lives; null if so. */
    static @Nullable HeartbeatLock take(HadoopStorage storage, Location file) throws IOException {
        String token = UUID.randomUUID() + " of process "
                + ManagementFactory.getRuntimeMXBean().getName();
        byte[] first = content(token, 0);
        if (!storage.createNew(file, first)) {
            String seen = text(storage, file);
            long since = System.nanoTime();
            while (System.nanoTime() - since < LAPSE_NS) {
                sleep();
                String now = text(storage, file);
                if (now == null) {
                    break; // given back
                }
                if (!now.equals(seen)) {
                    return null;
                }
            }
            storage.delete(file);
            if (!storage.createNew(file, first)) {
                return null; // another was faster
            }
            // Two who waited for the same lapse may both come here; the later one's file stays.
            sleep();
            sleep();
            String now = text(storage, file);
            if (now == null || !now.startsWith(token)) {
                return null;
            }
        }
        return new HeartbeatLock(storage, file, token);
    }

    private static void sleep() throws IOException {
        try {
            TimeUnit.NANOSECONDS.sleep(LOOK_NS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted while waiting for a lock", e);
        }
    }

    private static byte[] content(String token, long beats) {
        return (token + " beat " + beats + "\n").getBytes(UTF_8);
    }

    private static @Nullable String text(HadoopStorage storage, Location file) throws IOException {
        try {
            return new String(storage.read(file, 4096), UTF_8);
        } catch (NoSuchFileException none) {
            return null;
        }
    }

    private void beat() {
        try {
            String now = text(storage, file);
            if (now == null || !now.startsWith(token)) {
                lost = true;
                timer.shutdown();
                return;
            }
            storage.replace(file, content(token, ++beats));
            lastBeatNs = System.nanoTime();
        } catch (IOException unreachable) {
            // The next beat tries again; isHeld tells if none succeeds for too long.
        }
    }

    @Override
    public boolean isHeld() {
        return !lost && System.nanoTime() - lastBeatNs < LAPSE_NS;
    }

    @Override
    public void close() throws IOException {
        timer.shutdownNow();
        try {
            // A beat under way would bring the file back.
            timer.awaitTermination(LAPSE_NS, TimeUnit.NANOSECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        String now = text(storage, file);
        if (now != null && now.startsWith(token)) {
            storage.delete(file);
        }
    }
}
