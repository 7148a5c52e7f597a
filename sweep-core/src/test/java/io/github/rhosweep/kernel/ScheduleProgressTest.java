package io.github.rhosweep.kernel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.github.rhosweep.math.RandomStream;
import io.github.rhosweep.scenario.Collectives;
import io.github.rhosweep.scenario.Collectives.Ring;
import io.github.rhosweep.scenario.Schedule;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.PriorityQueue;
import java.util.function.IntConsumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What collectives compute, whatever the order in which messages arrive, and what completes when. */
class ScheduleProgressTest {
    private static final long LATENCY = 1000;

    /** Sent and delivered at some times; {@code onSend} sees the sender's state at the offer, {@code onDelivery} after it. */
    private static ScheduleProgress play(
            Schedule schedule, int hosts, RandomStream delays, IntConsumer onSend, IntConsumer onDelivery) {
        ScheduleProgress progress = new ScheduleProgress(schedule, hosts);
        PriorityQueue<long[]> inFlight = new PriorityQueue<>((x, y) -> Long.compare(x[0], y[0]));
        int delivered = 0;
        while (progress.nextStartPs() != ScheduleProgress.NEVER || !inFlight.isEmpty()) {
            long start = progress.nextStartPs();
            if (inFlight.isEmpty() || start != ScheduleProgress.NEVER && start <= inFlight.element()[0]) {
                int message = progress.takeStart();
                onSend.accept(message);
                inFlight.add(new long[] {start + delay(delays), message});
            } else {
                long[] arrival = inFlight.remove();
                delivered++;
                onDelivery.accept((int) arrival[1]);
                progress.delivered((int) arrival[1], arrival[0], next -> {
                    onSend.accept(next);
                    inFlight.add(new long[] {arrival[0] + schedule.startPs(next) + delay(delays), next});
                });
            }
        }
        assertThat(delivered).as("every message is offered and delivered once").isEqualTo(schedule.size());
        return progress;
    }

    private static long delay(RandomStream delays) {
        return delays == null ? LATENCY : 1 + delays.nextInt(100_000);
    }

    private static Schedule schedule(java.util.function.Consumer<Schedule.Builder> fill) {
        Schedule.Builder builder = new Schedule.Builder();
        fill.accept(builder);
        return builder.build();
    }

    /**
     * Contributions that each rank holds of each piece: sent as they are at the offer, merged at delivery. Whatever the delays, in the
     * end every rank holds all of what the operation promises: the dependencies suffice.
     */
    @ParameterizedTest
    @EnumSource(Ring.class)
    void ring_givesEveryRankWhatItIsDue(Ring kind) {
        for (int p : new int[] {2, 3, 8}) {
            for (long seed = 1; seed <= 50; seed++) {
                Schedule schedule = schedule(b -> Collectives.ring(b, kind, p, 8000, 1, 0));
                BitSet[][] has = new BitSet[p][p];
                for (int rank = 0; rank < p; rank++) {
                    for (int piece = 0; piece < p; piece++) {
                        has[rank][piece] = new BitSet();
                        if (kind != Ring.ALL_GATHER || piece == rank) {
                            has[rank][piece].set(rank);
                        }
                    }
                }
                BitSet[] sent = new BitSet[schedule.size()];
                play(
                        schedule,
                        p,
                        new RandomStream(seed),
                        m -> sent[m] = (BitSet) has[schedule.source(m)][piece(schedule, m, p)].clone(),
                        m -> has[schedule.destination(m)][piece(schedule, m, p)].or(sent[m]));
                for (int rank = 0; rank < p; rank++) {
                    for (int piece = 0; piece < p; piece++) {
                        int expected = switch (kind) {
                            case ALL_REDUCE -> p;
                            case ALL_GATHER -> 1;
                            case REDUCE_SCATTER -> piece == (rank + 1) % p ? p : 0;
                        };
                        if (expected > 0) {
                            assertThat(has[rank][piece].cardinality())
                                    .as("seed %d, rank %d of %d, piece %d", seed, rank, p, piece)
                                    .isEqualTo(expected);
                        }
                    }
                }
            }
        }
    }

    /** Rank r sends piece r - k in step k. */
    private static int piece(Schedule schedule, int message, int p) {
        return Math.floorMod(schedule.source(message) - schedule.step(message), p);
    }

    @ParameterizedTest
    @ValueSource(ints = {2, 4, 16})
    void recursiveDoubling_sumsEveryRankEverywhere(int p) {
        for (long seed = 1; seed <= 50; seed++) {
            Schedule schedule = schedule(b -> Collectives.recursiveDoubling(b, p, 8000, 1, 0));
            BitSet[] has = new BitSet[p];
            for (int rank = 0; rank < p; rank++) {
                has[rank] = new BitSet();
                has[rank].set(rank);
            }
            // What a rank sends in step k is the sum of the 2^k ranks that differ in the lowest k bits: no less.
            play(
                    schedule,
                    p,
                    new RandomStream(seed),
                    m -> assertThat(has[schedule.source(m)].cardinality())
                            .isGreaterThanOrEqualTo(1 << schedule.step(m)),
                    m -> {
                        int width = 1 << schedule.step(m);
                        int first = schedule.source(m) / width * width;
                        has[schedule.destination(m)].set(first, first + width);
                    });
            assertThat(has).allMatch(set -> set.cardinality() == p);
        }
    }

    /** With one latency for every message a collective takes its number of steps. */
    @ParameterizedTest
    @CsvSource({"2, 2", "8, 14", "17, 32"})
    void ring_takesItsSteps(int p, int steps) {
        Schedule schedule = schedule(b -> Collectives.ring(b, Ring.ALL_REDUCE, p, 1_000_000, 1, 0));
        assertThat(schedule.steps()).isEqualTo(steps);
        assertThat(schedule.size()).isEqualTo(p * steps);
        ScheduleProgress progress = play(schedule, p, null, m -> {}, m -> {});
        assertThat(progress.foregroundDonePs()).isEqualTo(steps * LATENCY);
        assertThat(progress.stragglerSpreadPs()).isZero();
    }

    /** nccl-tests' PERFORMANCE.md: all-reduce 2(n-1)/n, all-gather and reduce-scatter (n-1)/n. */
    @Test
    void busFactor_isThatOfNcclTests() {
        assertThat(Ring.ALL_REDUCE.busFactor(8)).isEqualTo(1.75);
        assertThat(Ring.ALL_GATHER.busFactor(8)).isEqualTo(0.875);
        assertThat(Ring.REDUCE_SCATTER.busFactor(4)).isEqualTo(0.75);
    }

    /** Chunks carry the same bytes, and each waits for its own predecessor alone. */
    @Test
    void chunks_goRoundOnTheirOwn() {
        Schedule whole = schedule(b -> Collectives.ring(b, Ring.ALL_REDUCE, 4, 4_000_003, 1, 0));
        Schedule cut = schedule(b -> Collectives.ring(b, Ring.ALL_REDUCE, 4, 4_000_003, 3, 0));
        assertThat(cut.size()).isEqualTo(3 * whole.size());
        assertThat(cut.totalBytes()).isEqualTo(whole.totalBytes());
        for (int m = 0; m < cut.size(); m++) {
            assertThat(cut.predecessors(m)).isEqualTo(cut.step(m) == 0 ? 0 : 1);
        }
        // A piece of 2 bytes cannot be cut into 3.
        assertThat(schedule(b -> Collectives.ring(b, Ring.ALL_GATHER, 4, 8, 3, 0))
                        .size())
                .isEqualTo(2 * 3 * 4);
    }

    @Test
    void allToAll_sendsAPieceToEveryOther() {
        Schedule schedule = schedule(b -> Collectives.allToAll(b, 5, 1001, false, 0));
        assertThat(schedule.size()).isEqualTo(20);
        assertThat(schedule.totalBytes()).isEqualTo(20 * 201); // ceil(1001 / 5)
        assertThat(schedule(b -> Collectives.allToAll(b, 5, 1001, true, 0)).size())
                .isEqualTo(25);
    }

    /** Zipf: the share of rank d is 1/(d+1)^s of the sum; s = 0 is uniform. */
    @Test
    void mixtureOfExperts_skewsTheMatrixByZipf() {
        double h = 1 + 0.5 + 1 / 3.0 + 0.25;
        Schedule schedule = schedule(b -> Collectives.mixtureOfExperts(b, 4, 1_000_000, 1, false, 0));
        for (int m = 0; m < schedule.size(); m++) {
            assertThat((double) schedule.bytes(m))
                    .isCloseTo(1_000_000 / h / (schedule.destination(m) + 1), within(1.0));
        }
        Schedule even = schedule(b -> Collectives.mixtureOfExperts(b, 4, 1_000_000, 0, false, 0));
        for (int m = 0; m < even.size(); m++) {
            assertThat(even.bytes(m)).isEqualTo(250_000);
        }
    }

    /** A batch waits for itself only: with one latency the last of them is there after one latency a hop. */
    @Test
    void pipeline_passesEachMicroBatchOn() {
        Schedule schedule = schedule(b -> Collectives.pipeline(b, 4, 2, 8, 1000, 1, false, 0));
        assertThat(schedule.size()).isEqualTo(3 * 2 * 8);
        List<Integer> lastStage = new ArrayList<>();
        ScheduleProgress progress = play(schedule, 8, null, m -> {}, m -> {
            if (schedule.step(m) == 2) {
                lastStage.add(schedule.destination(m));
            }
        });
        assertThat(progress.foregroundDonePs()).isEqualTo(3 * LATENCY);
        assertThat(lastStage).hasSize(16).containsOnly(6, 7);
    }

    /** Background messages neither make the foreground complete nor keep it from it. */
    @Test
    void tenants_countForThemselves() {
        Schedule schedule = schedule(b -> {
            b.add(0, 1, 10, 0, 0, 1);
            b.add(0, 2, 10, 50, 0);
            b.add(1, 2, 10, 10, 0);
            b.add(1, 3, 10, 0, 0);
            b.order(2, b.add(2, 0, 10, 500_000, 1, 2));
        });
        assertThat(schedule.starts()).isEqualTo(4);
        assertThat(new int[] {schedule.start(0), schedule.start(1), schedule.start(2), schedule.start(3)})
                .containsExactly(0, 3, 2, 1); // by start, then by number
        ScheduleProgress progress = play(schedule, 4, null, m -> {}, m -> {});
        assertThat(progress.foregroundDonePs()).isEqualTo(50 + LATENCY);
        assertThat(progress.stragglerSpreadPs()).isEqualTo(50);
    }

    @Test
    void impossibleMessages_areRefused() {
        Schedule.Builder builder = new Schedule.Builder();
        assertThatThrownBy(() -> builder.add(0, 1, 0, 0, 0)).hasMessage("0 bytes at 0 ps");
        int message = builder.add(0, 1, 1, 0, 0);
        assertThatThrownBy(() -> builder.order(message, message)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> Collectives.recursiveDoubling(builder, 6, 100, 1, 0))
                .hasMessage("6 ranks are no power of two");
    }
}
