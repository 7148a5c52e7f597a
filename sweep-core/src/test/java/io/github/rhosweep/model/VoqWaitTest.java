package io.github.rhosweep.model;

import static io.github.rhosweep.model.ModelsTest.ns;
import static io.github.rhosweep.model.ModelsTest.reason;
import static io.github.rhosweep.model.ModelsTest.scenario;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.github.rhosweep.math.RandomStream;
import io.github.rhosweep.scenario.ArrivalProcess;
import io.github.rhosweep.scenario.Scenario;
import io.github.rhosweep.topology.Hop;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Waits in the VOQs of an incast, against dull walks of NICs and slots. */
class VoqWaitTest {

    /** By hand, in slots of 3.515 ns. */
    @Test
    void syncIncast_wholeFrames() {
        Scenario whole = scenario("traffic.arrivals", "once", "traffic.message", "65856 B"); // 49 x 1344
        assertThat(ns("sync_incast_voq_wait_ns", whole)).isEqualTo(49 * 7 / 2.0 * 3.515, within(1e-9));
        assertThat(ns("sync_incast_voq_wait_max_ns", whole)).isEqualTo(49 * 7 * 3.515, within(1e-9));
        // the last of N b frames leaves in slot N b
        assertThat(ns("sync_incast_message_max_ns", whole)).isEqualTo(230 + 3.515 + 8 * 49 * 3.515, within(1e-9));
        assertThat(ns("sync_incast_message_ns", whole))
                .isEqualTo(ns("alpha_beta_message_ns", whole) + 7 * 48.5 * 3.515, within(1e-9));
    }

    @Test
    void syncIncast_shortLastFrameAndUnlimitedLinks() {
        Scenario kib64 = scenario("traffic.arrivals", "synchronized");
        double slots = ns("sync_incast_voq_wait_ns", kib64) / 3.515;
        assertThat(slots - 49 * 7 / 2.0).isEqualTo((1 - 2.715 / 3.515) / 49, within(1e-9));
        Scenario unlimited = scenario("traffic.arrivals", "once", "link.bandwidth", "unlimited");
        assertThat(ns("sync_incast_voq_wait_ns", unlimited)).isEqualTo((8 * 49 - 1) / 2.0 * 3.515, within(1e-9));
    }

    @Test
    void syncIncast_oneSender_neverWaits() {
        Scenario alone = scenario("traffic.arrivals", "once", "traffic.flows", "1", "traffic.message", "65856 B");
        assertThat(ns("sync_incast_voq_wait_ns", alone)).isEqualTo(0, within(1e-12));
        assertThat(ns("sync_incast_message_ns", alone)).isEqualTo(ns("alpha_beta_message_ns", alone), within(1e-9));
    }

    @Test
    void syncIncast_seesNeitherJitterNorOverlapNorLoss() {
        assertThat(reason(
                        "sync_incast_voq_wait_ns",
                        scenario("traffic.arrivals", "synchronized", "traffic.jitter", "1 ns")))
                .contains("without jitter");
        assertThat(reason(
                        "sync_incast_voq_wait_ns", scenario("traffic.arrivals", "synchronized", "traffic.load", "1.1")))
                .contains("before the one before it is over");
        assertThat(reason("sync_incast_voq_wait_ns", scenario("traffic.arrivals", "once", "traffic.message", "4 MiB")))
                .isEqualTo("the volley overflows the buffer");
        assertThat(reason(
                        "sync_incast_voq_wait_ns",
                        scenario("traffic.arrivals", "once", "switch.frame_size_bytes", "1000")))
                .contains("longer than a slot");
    }

    /** Slot after slot, round robin over N queues, for random sizes, speeds and slots no shorter than a frame. */
    @Test
    void syncIncast_matchesSlotBySlotWalk() {
        long seed = 77;
        RandomStream random = new RandomStream(seed);
        for (int trial = 0; trial < 300; trial++) {
            int senders = 1 + random.nextInt(12);
            int message = 1 + random.nextInt(20_000);
            int slotBytes = 1406 + random.nextInt(600);
            String nic = random.nextInt(6) == 0 ? "unlimited" : (10 + random.nextInt(900)) + " GB/s";
            Scenario point = scenario(
                    "traffic.arrivals",
                    "once",
                    "traffic.flows",
                    String.valueOf(senders),
                    "traffic.message",
                    message + " B",
                    "switch.frame_size_bytes",
                    String.valueOf(slotBytes),
                    "link.bandwidth",
                    nic);
            double[] walked = walk(point, senders);
            String what = "seed " + seed + " trial " + trial + " " + senders + " x " + message + " B, NIC " + nic;
            assertThat(ns("sync_incast_voq_wait_ns", point)).as(what).isEqualTo(walked[0], within(1e-6));
            assertThat(ns("sync_incast_voq_wait_max_ns", point)).as(what).isEqualTo(walked[1], within(1e-6));
            assertThat(ns("sync_incast_message_ns", point)).as(what).isEqualTo(walked[2], within(1e-6));
            assertThat(ns("sync_incast_message_max_ns", point)).as(what).isEqualTo(walked[3], within(1e-6));
        }
    }

    /** Mean and longest wait, mean and longest message latency, in ns. */
    private static double[] walk(Scenario point, int senders) {
        Point p = Point.of(point);
        Hop nic = p.path().hops().get(0);
        Hop port = p.path().last();
        long b = point.traffic().framesPerMessage();
        long slot = port.slotPs();
        List<ArrayDeque<Long>> queues = new ArrayList<>();
        for (int s = 0; s < senders; s++) {
            ArrayDeque<Long> queue = new ArrayDeque<>();
            long sent = 0;
            for (long f = 0; f < b; f++) {
                sent += nic.serialisationPs(
                        f == b - 1
                                ? point.traffic().lastFrameWireBytes()
                                : point.traffic().fullFrameWireBytes());
                queue.add(sent + nic.propagationPs());
            }
            queues.add(queue);
        }
        long now = queues.get(0).peek();
        int pointer = 0;
        double waits = 0;
        double longest = 0;
        double latencies = 0;
        double last = 0;
        long served = 0;
        while (served < b * senders) {
            int chosen = -1;
            for (int i = 0; i < senders && chosen < 0; i++) {
                Long head = queues.get((pointer + i) % senders).peek();
                if (head != null && head <= now) {
                    chosen = (pointer + i) % senders;
                }
            }
            if (chosen < 0) {
                now = queues.stream()
                        .filter(q -> !q.isEmpty())
                        .mapToLong(ArrayDeque::peek)
                        .min()
                        .orElseThrow();
                continue;
            }
            long wait = now - queues.get(chosen).remove();
            waits += wait;
            longest = Math.max(longest, wait);
            served++;
            if (queues.get(chosen).isEmpty()) {
                double done = now
                        + port.delayPs()
                        + port.serialisationPs(point.traffic().lastFrameWireBytes());
                latencies += done;
                last = Math.max(last, done);
            }
            pointer = (chosen + 1) % senders;
            now += slot;
        }
        return new double[] {waits / served / 1e3, longest / 1e3, latencies / senders / 1e3, last / 1e3};
    }

    @Test
    void concentrator_singleFrames_isMd1LessMd1OfOneSender() {
        Scenario point = scenario("traffic.message", "1344 B", "traffic.load", "0.8");
        assertThat(ns("concentrator_md1_voq_wait_ns", point))
                .isEqualTo(3.515 * (Md1.meanWait(0.8) - Md1.meanWait(0.1)), within(1e-9));
        Scenario unlimited =
                scenario("traffic.message", "1344 B", "traffic.load", "0.8", "link.bandwidth", "unlimited");
        assertThat(ns("concentrator_md1_voq_wait_ns", unlimited)).isEqualTo(3.515 * 2, within(1e-9));
    }

    /** A lone sender at the port's speed never waits behind itself, whatever it sends. */
    @ParameterizedTest
    @ValueSource(strings = {"1344 B", "65856 B"})
    void concentrator_oneSenderAtPortSpeed_neverWaits(String message) {
        Scenario point = scenario("traffic.message", message, "traffic.flows", "1", "traffic.load", "0.9");
        assertThat(ns("concentrator_md1_voq_wait_ns", point)).isEqualTo(0, within(1e-9));
    }

    @Test
    void batch_overUnlimitedLinks_isTheConcentrator() {
        Scenario point = scenario(
                "traffic.arrivals", "batch",
                "traffic.batch", "4",
                "traffic.message", "1344 B",
                "traffic.load", "0.8",
                "link.bandwidth", "unlimited");
        assertThat(ns("batch_md1_voq_wait_ns", point)).isEqualTo(9.5 * 3.515, within(1e-9));
        assertThat(ns("concentrator_md1_voq_wait_ns", point)).isEqualTo(9.5 * 3.515, within(1e-9));
    }

    /**
     * Messages walked through NICs and one slotted port, first come first served there (the order does not change the mean). Tolerance:
     * four standard errors from 40 batches of the run.
     */
    @ParameterizedTest
    @CsvSource({
        "8, 65536, 0.5, 400 GB/s, poisson, 1",
        "8, 65536, 0.8, 400 GB/s, poisson, 1",
        "3, 5000, 0.7, 900 GB/s, poisson, 1",
        "2, 3000, 0.6, unlimited, poisson, 1",
        "4, 1000, 0.8, 400 GB/s, poisson, 1",
        "4, 4032, 0.6, 500 GB/s, batch, 5",
    })
    void concentrator_matchesWalk(int senders, int message, double rho, String nicSpeed, String arrivals, int batch) {
        String[] pairs = {
            "traffic.arrivals",
            arrivals,
            "traffic.flows",
            String.valueOf(senders),
            "traffic.message",
            message + " B",
            "traffic.load",
            String.valueOf(rho),
            "link.bandwidth",
            nicSpeed,
            "traffic.batch",
            String.valueOf(batch),
        };
        Scenario point = scenario(arrivals.equals("batch") ? pairs : Arrays.copyOf(pairs, pairs.length - 2));
        Point p = Point.of(point);
        Hop nic = p.path().hops().get(0);
        long slot = p.path().last().slotPs();
        int b = (int) point.traffic().framesPerMessage();
        int perSender = Math.max(4000, 600_000 / b / senders);
        double gap = io.github.rhosweep.scenario.Load.of(point).meanGapPs();
        long[] joins = new long[senders * perSender * b];
        int n = 0;
        for (int s = 0; s < senders; s++) {
            ArrivalProcess.Source source =
                    point.traffic().arrivals().start(gap, slot, RandomStream.named(2024, "arrivals", s));
            long free = 0;
            for (int m = 0; m < perSender; m++) {
                free = Math.max(free, source.nextPs());
                for (int f = 0; f < b; f++) {
                    free += nic.serialisationPs(
                            f == b - 1
                                    ? point.traffic().lastFrameWireBytes()
                                    : point.traffic().fullFrameWireBytes());
                    joins[n++] = free;
                }
            }
        }
        Arrays.sort(joins);
        int used = (int) (n * 0.97); // before the first sender stops
        double[] means = new double[40];
        long tick = Long.MIN_VALUE / 2;
        int counted = used / 41;
        for (int i = 0; i < counted * 41; i++) {
            tick = Math.max(joins[i], tick + slot);
            if (i >= counted) {
                means[i / counted - 1] += (tick - joins[i]) / 1e3 / counted;
            }
        }
        double mean = Arrays.stream(means).average().orElseThrow();
        double variance = Arrays.stream(means).map(x -> (x - mean) * (x - mean)).sum() / 39;
        assertThat(ns("concentrator_md1_voq_wait_ns", point)).isEqualTo(mean, within(4 * Math.sqrt(variance / 40)));
    }

    @Test
    void nddd1_periodicSingleFrames() {
        Scenario point = scenario("traffic.arrivals", "periodic", "traffic.message", "1344 B", "traffic.load", "0.8");
        assertThat(ns("nddd1_voq_wait_ns", point)).isEqualTo(0.722372 * 3.515, within(1e-9));
        assertThat(ns("md1_frame_ns", point) - 237.030).isGreaterThan(0.722372 * 3.515); // paced streams wait less
        assertThat(reason("nddd1_voq_wait_ns", scenario("traffic.arrivals", "periodic")))
                .contains("one frame");
    }

    @Test
    void outputQueued_bernoulliSingleFrames() {
        String[] pairs = {"traffic.arrivals", "bernoulli", "traffic.message", "1344 B", "traffic.load", "0.8"};
        assertThat(ns("output_queued_voq_wait_ns", scenario(pairs))).isEqualTo(7.0 / 8 * 2 * 3.515, within(1e-9));
        String[] uniform = Arrays.copyOf(pairs, 10);
        uniform[6] = "traffic.pattern";
        uniform[7] = "uniform";
        uniform[8] = "traffic.self";
        uniform[9] = "false";
        assertThat(ns("output_queued_voq_wait_ns", scenario(uniform))).isEqualTo(6.0 / 7 * 2 * 3.515, within(1e-9));
    }

    /** Counts of one source over windows of 400 mean gaps: variance over mean, within four standard errors of a variance. */
    @ParameterizedTest
    @CsvSource({
        "poisson, , ",
        "erlang, traffic.erlang_k, 4",
        "hyperexponential, traffic.arrival_cv_sq, 4",
        "on-off, traffic.on_messages, 5",
        "bernoulli, , ",
    })
    void epochDispersion_isVarianceOverMeanOfCounts(String arrivals, String path, String value) {
        List<String> pairs = new ArrayList<>(
                List.of("traffic.arrivals", arrivals, "traffic.flows", "1", "traffic.message", "1344 B"));
        if (path != null) {
            pairs.addAll(List.of(path, value));
        }
        Scenario point = scenario(pairs.toArray(String[]::new));
        io.github.rhosweep.scenario.Load load = io.github.rhosweep.scenario.Load.of(point);
        ArrivalProcess.Source source = point.traffic()
                .arrivals()
                .start(load.meanGapPs(), load.slotPs(), RandomStream.named(5, "dispersion", 0));
        int windows = 8000;
        double window = 400 * load.meanGapPs();
        double sum = 0;
        double squares = 0;
        long next = source.nextPs();
        for (int w = 0; w < windows; w++) {
            int count = 0;
            while (next < (w + 1) * window) {
                count++;
                next = source.nextPs();
            }
            sum += count;
            squares += (double) count * count;
        }
        double mean = sum / windows;
        double dispersion = (squares / windows - mean * mean) / mean;
        double expected = point.traffic().arrivals().epochDispersion(load.meanGapPs(), load.slotPs());
        // A window sees the limit but for the relaxation of the process, a few gaps in 400: 4%.
        assertThat(dispersion).isEqualTo(expected, within(expected * (4 * Math.sqrt(2.0 / windows) + 0.04)));
        assertThat(mean).isEqualTo(400, within(4 * Math.sqrt(400 * expected / windows) + 0.5));
    }
}
