package io.github.rhosweep.kernel;

import io.github.rhosweep.result.SwitchCounters;
import io.github.rhosweep.scenario.InvalidValueException;
import io.github.rhosweep.scenario.SwitchSpec;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;

/** Runs recorded traces through one switch: the outcome of every frame, exact to the ps. */
public final class Replay {
    private final Path caseDir;
    private final SwitchSpec spec;
    private final Trace trace;

    private Replay(Path caseDir, SwitchSpec spec, Trace trace) {
        this.caseDir = caseDir;
        this.spec = spec;
        this.trace = trace;
    }

    /**
     * Reads a case: {@code switch.yaml} and {@code trace.csv} of a folder.
     *
     * @throws InvalidValueException if either is not as it must be; one line per problem, with file and line
     * @throws IOException if either cannot be read
     */
    public static Replay read(Path caseDir) throws IOException {
        SwitchSpec spec = ReplayConfig.read(caseDir.resolve("switch.yaml"));
        return new Replay(caseDir, spec, Trace.read(caseDir.resolve("trace.csv"), spec.portCount()));
    }

    /**
     * Replays cases, each into a folder of its own name under {@code out}: {@code outcome.csv} and {@code counters.json}. Nothing is
     * written unless all cases can be read.
     *
     * @throws InvalidValueException if two cases have one name, or one is not as it must be
     * @throws IOException if a file cannot be read or written
     */
    public static void replayAll(List<Path> caseDirs, Path out) throws IOException {
        Set<String> names = new HashSet<>();
        for (Path caseDir : caseDirs) {
            if (!names.add(nameOf(caseDir))) {
                throw new InvalidValueException("two cases are named `" + nameOf(caseDir) + "`: both would write "
                        + out.resolve(nameOf(caseDir)));
            }
        }
        List<Replay> replays = new ArrayList<>();
        for (Path caseDir : caseDirs) {
            replays.add(read(caseDir));
        }
        for (Replay replay : replays) {
            replay.run().write(out.resolve(nameOf(replay.caseDir)));
        }
    }

    private static String nameOf(Path caseDir) {
        return Objects.requireNonNull(
                        caseDir.toAbsolutePath().normalize().getFileName(), () -> caseDir + " has no name")
                .toString();
    }

    /**
     * Feeds the trace to a new switch, then ticks until every queue is empty.
     *
     * @throws InvalidValueException if a frame would leave after 2^63 ps
     * @throws IllegalStateException if the switch does not balance at the end: a defect of the simulator
     */
    public Outcome run() {
        PacketPool pool = new PacketPool(Math.max(1, trace.frames()));
        Switch sw = new Switch(spec, Objects.requireNonNull(spec.replaySeed()), pool);
        Outcome outcome = new Outcome(trace.frames());
        try {
            long now = 0;
            for (int frame = 0; frame < trace.frames(); frame++) {
                long arrival = trace.timePs(frame);
                // A tick at the time of an arrival waits for it (D-12).
                while (sw.nextTickPs() < arrival) {
                    now = sw.nextTickPs();
                    outcome.record(sw, now, pool);
                }
                now = arrival;
                // Packets are never given back, so that a packet's number is its frame's.
                int packet = pool.take(trace.wireBytes(frame), trace.payloadBytes(frame));
                outcome.accepted[packet] =
                        sw.forward(trace.ingress(frame), trace.egress(frame), trace.wireBytes(frame), packet, arrival);
            }
            while (sw.hasPending()) {
                now = sw.nextTickPs();
                outcome.record(sw, now, pool);
            }
            sw.checkBalance(now);
        } catch (ArithmeticException overflow) {
            throw new InvalidValueException(caseDir + ": a frame would leave the switch later than 2^63 ps");
        }
        outcome.counters = sw.counters();
        return outcome;
    }

    /** What became of each frame, in the order of the trace. */
    public static final class Outcome {
        private final boolean[] accepted;
        private final boolean[] marked;
        private final long[] dequeuePs;
        private final long[] finishPs;
        private SwitchCounters counters = new SwitchCounters(0, 0, 0, 0, 0, 0, 0, 0, 0, 0);

        private Outcome(int frames) {
            accepted = new boolean[frames];
            marked = new boolean[frames];
            dequeuePs = new long[frames];
            finishPs = new long[frames];
        }

        private void record(Switch sw, long now, PacketPool pool) {
            int served = sw.tick(now);
            for (int k = 0; k < served; k++) {
                int frame = sw.servedPacket(k);
                dequeuePs[frame] = now;
                finishPs[frame] = sw.servedFinishPs(k);
                marked[frame] = pool.isMarked(frame);
            }
        }

        public boolean accepted(int frame) {
            return accepted[frame];
        }

        public boolean marked(int frame) {
            return marked[frame];
        }

        /** When an accepted frame left its VOQ, in ps. */
        public long dequeuePs(int frame) {
            return dequeuePs[frame];
        }

        /** When an accepted frame's last bit left the port, in ps. */
        public long finishPs(int frame) {
            return finishPs[frame];
        }

        public SwitchCounters counters() {
            return counters;
        }

        /** The text of {@code outcome.csv}. */
        public String csv() {
            StringBuilder text = new StringBuilder("accepted,dequeue_ns,finish_ns,ecn_marked\n");
            for (int frame = 0; frame < accepted.length; frame++) {
                if (accepted[frame]) {
                    text.append("true,");
                    appendNs(text, dequeuePs[frame]);
                    text.append(',');
                    appendNs(text, finishPs[frame]);
                    text.append(',').append(marked[frame]).append('\n');
                } else {
                    text.append("false,,,false\n");
                }
            }
            return text.toString();
        }

        /** The text of {@code counters.json}. */
        public String countersJson() {
            return counters.byName().entrySet().stream()
                    .map(counter -> " \"" + counter.getKey() + "\": " + counter.getValue())
                    .collect(Collectors.joining(",\n", "{\n", "\n}\n"));
        }

        /**
         * Writes both files into a folder, made if it is not there; each appears whole or not at all.
         *
         * @throws IOException if that fails
         */
        public void write(Path dir) throws IOException {
            Files.createDirectories(dir);
            writeWhole(dir.resolve("outcome.csv"), csv());
            writeWhole(dir.resolve("counters.json"), countersJson());
        }

        private static void writeWhole(Path file, String text) throws IOException {
            Path unfinished = file.resolveSibling(file.getFileName() + ".tmp");
            Files.writeString(unfinished, text, StandardCharsets.UTF_8);
            Files.move(unfinished, file, StandardCopyOption.REPLACE_EXISTING);
        }

        private static void appendNs(StringBuilder text, long ps) {
            long fraction = ps % 1000;
            text.append(ps / 1000).append('.');
            text.append((char) ('0' + fraction / 100));
            text.append((char) ('0' + fraction / 10 % 10));
            text.append((char) ('0' + fraction % 10));
        }
    }
}
