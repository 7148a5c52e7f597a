package io.github.rhosweep.run;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.rhosweep.kernel.ControlVariate;
import io.github.rhosweep.math.RandomStream;
import io.github.rhosweep.math.SlicedSeries;
import io.github.rhosweep.math.Slicing;
import io.github.rhosweep.math.SteadyState;
import io.github.rhosweep.scenario.ArrivalProcess;
import io.github.rhosweep.scenario.Load;
import io.github.rhosweep.scenario.Params;
import io.github.rhosweep.scenario.Scenario;
import io.github.rhosweep.scenario.TrafficSpec;
import java.util.Map;
import java.util.Objects;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class LindleyWorkloadTest {
    private static Scenario scenario(String pattern, String load, String arrivals) {
        return Scenario.of(Params.parse(Map.of(
                "traffic.pattern", pattern, "traffic.load", load, "traffic.arrivals", arrivals, "traffic.flows", "4")));
    }

    /** Sources of the scenario's own arrival process and pattern; V averaged over all offers. */
    @ParameterizedTest
    @CsvSource({
        "incast, 0.5",
        "incast, 0.8",
        "uniform, 0.7",
        "permutation, 0.7",
        "diagonal, 0.7",
        "hotspot, 0.8",
        "random-matrix, 0.8",
    })
    void meanOverOffers_isThatOfPollaczekAndKhinchine(String pattern, String load) {
        Scenario scenario = scenario(pattern, load, "poisson");
        TrafficSpec traffic = scenario.traffic();
        ControlVariate control = LindleyWorkload.of(scenario);
        double gap = Load.of(scenario).meanGapPs();
        int offers = 400_000;
        Slicing slicing = new Slicing();
        SlicedSeries series = new SlicedSeries(slicing);
        slicing.reset((long) (offers / 4 * gap));
        series.reset();
        long[] next = new long[4];
        ArrivalProcess.Source[] sources = new ArrivalProcess.Source[4];
        for (int s = 0; s < 4; s++) {
            sources[s] = traffic.arrivals().start(gap, 3515, RandomStream.named(1, "arrivals", s));
            next[s] = sources[s].nextPs();
        }
        RandomStream destinations = RandomStream.named(1, "destinations", 0);
        long now = 0;
        for (int i = 0; i < offers; i++) {
            int s = 0;
            for (int k = 1; k < 4; k++) {
                s = next[k] < next[s] ? k : s;
            }
            now = next[s];
            int destination = traffic.pattern().destination(s, 4, destinations);
            series.record(now, control.observePs(now, destination, traffic.framesPerMessage()));
            next[s] = sources[s].nextPs();
        }
        SteadyState.Interval interval = Objects.requireNonNull(SteadyState.mean(series, 0, slicing.sliceOf(now) + 1));
        // Half-widths are 1.96 standard errors and more: 1.6 of them are over three.
        assertThat(interval.mean())
                .as("seed 1, half-width %.0f", interval.halfWidth())
                .isCloseTo(control.meanPs(), Offset.offset(1.6 * interval.halfWidth()));
        assertThat(interval.halfWidth()).isLessThan(0.06 * control.meanPs());
    }

    @Test
    void incastOf64Kib_hasTheWaitOf49FramesAtTheSlot() {
        // b tau = 49 x 3515 ps; r / (2 (1 - r)) = 2 at r = .8.
        assertThat(LindleyWorkload.of(scenario("incast", "0.8", "poisson")).meanPs())
                .isCloseTo(2 * 49 * 3515, Offset.offset(1e-6));
    }

    @Test
    void hotspot_weighsDestinationsByTheirMessages() {
        // h = .5, N = 4: host 0 takes .625 of the messages at load .8, the others .125 each at .16.
        assertThat(LindleyWorkload.of(scenario("hotspot", "0.8", "poisson")).meanPs())
                .isCloseTo(49 * 3515 * (0.625 * 2 + 0.375 * 0.16 / (2 * 0.84)), Offset.offset(1e-6));
    }

    @Test
    void observation_isTheWorkLeftOfTheSameDestination() {
        ControlVariate control = LindleyWorkload.of(scenario("uniform", "0.5", "poisson"));
        assertThat(control.observePs(1000, 1, 49)).isZero();
        assertThat(control.observePs(1000, 1, 49)).isEqualTo(49 * 3515);
        assertThat(control.observePs(1000, 2, 49)).isZero();
        assertThat(control.observePs(2000, 1, 2)).isEqualTo(2 * 49 * 3515 - 1000);
        assertThat(control.observePs(10_000_000, 1, 49)).isZero();
    }

    @ParameterizedTest
    @CsvSource({"poisson, 1", "poisson, 1.2", "periodic, 0.5", "hyperexponential, 0.5", "batch, 0.5"})
    void withoutAKnownMean_thereIsNone(String arrivals, String load) {
        assertThat(LindleyWorkload.of(scenario("incast", load, arrivals))).isSameAs(ControlVariate.NONE);
        assertThat(ControlVariate.NONE.meanPs()).isNaN();
    }
}
