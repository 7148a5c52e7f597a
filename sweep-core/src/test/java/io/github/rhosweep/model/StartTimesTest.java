package io.github.rhosweep.model;

import static io.github.rhosweep.model.ModelsTest.ns;
import static io.github.rhosweep.model.ModelsTest.scenario;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.github.rhosweep.model.StartTimes.Start;
import io.github.rhosweep.model.StartTimes.Transfer;
import io.github.rhosweep.model.StartTimes.Window;
import io.github.rhosweep.scenario.InvalidValueException;
import io.github.rhosweep.scenario.Scenario;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Start times by closed forms and by hand: eight senders to host 8; the transfer comes from host 9, whose NIC is idle. */
class StartTimesTest {
    private static final double TAU = 3.515;
    private static final Transfer LONG = new Transfer(9, 8, 1000 * 1344);

    private static Scenario load(String load) {
        return scenario("traffic.message", "1344 B", "traffic.load", load, "topology.hosts", "10");
    }

    private static StartTimes windows(String first, long secondPs, String second) {
        return StartTimes.of(List.of(new Window(0, load(first)), new Window(secondPs, load(second))), List.of(LONG));
    }

    @Test
    void oneFrame_takesWhatAlmaSays() {
        Scenario half = load("0.5");
        Transfer frame = new Transfer(3, 8, 1344);
        Start start =
                StartTimes.of(List.of(new Window(0, half)), List.of(frame)).at(frame, 0);
        assertThat(start.durationNs()).isEqualTo(ns("alma_message_ns", half), within(1e-9));
        assertThat(start.highestLoad()).isEqualTo(0.5, within(1e-12));
        assertThat(start.reason()).isNull();
    }

    /** 999 frames behind the first, at 1-rho of the egress; the last waits at it as alma says. */
    @Test
    void longTransfer_takesWhatTheOthersLeave_windowByWindow() {
        double last = Md1.meanWait(0.5) - 8 * (1 / 8.0) * Md1.meanWait(0.5 / 8);
        StartTimes steady = windows("0.5", 1_000_000_000, "0.5");
        double idle = steady.idleNs(LONG);
        assertThat(idle).isEqualTo(233.515 + 1000 * TAU, within(0.01));
        assertThat(steady.at(LONG, 0).durationNs())
                .isEqualTo(idle + 999 * TAU / 0.5 - 999 * TAU + last * TAU, within(1e-6));

        // From 1 us on a quarter: what is left then goes faster.
        double quarter = Md1.meanWait(0.25) - Md1.meanWait(0.25 / 8);
        double sent = (1000 - 200) * 0.5 / TAU;
        assertThat(windows("0.5", 1_000_000, "0.25").at(LONG, 200_000).durationNs())
                .isEqualTo(idle - 999 * TAU + 800 + (999 - sent) * TAU / 0.75 + quarter * TAU, within(1e-6));
        // After the last window's beginning only it counts.
        assertThat(windows("0.5", 1_000_000, "0.25").at(LONG, 5_000_000).durationNs())
                .isEqualTo(idle - 999 * TAU + 999 * TAU / 0.75 + quarter * TAU, within(1e-6));
    }

    @Test
    void overload_hasNoValue_andTheReasonNamesTheLink() {
        Start start = windows("0.2", 2_000_000, "1.2").at(LONG, 1_000_000);
        assertThat(start.durationNs()).isNaN();
        assertThat(start.reason())
                .isEqualTo("at 2000 ns the link from switch 0 to host 8 has a load of 1.20: no steady state");
        assertThat(start.highestLoad()).isEqualTo(1.2, within(1e-12));
    }

    /** Max-min: who wants less than the share gets it. */
    @Test
    void roundRobin_leavesTheRest_butNeverLessThanAFairShare() {
        assertThat(StartTimes.left(new double[] {})).isEqualTo(1);
        assertThat(StartTimes.left(new double[] {0.3, 0.1})).isEqualTo(0.6, within(1e-12));
        assertThat(StartTimes.left(new double[] {0.9})).isEqualTo(0.5);
        assertThat(StartTimes.left(new double[] {0.8, 0.1})).isEqualTo(0.45, within(1e-12));
        assertThat(StartTimes.left(new double[] {2, 2, 0})).isEqualTo(1 / 3.0, within(1e-12));
    }

    /** In windows of 1 us: 100 frames (0.35), then 400 of which 284 fit, the rest in the third. */
    @Test
    void flowsOfAFile_loadTheWindowsThatTheyStartIn_andWhatDoesNotFitIsLeftForTheNext(@TempDir Path folder)
            throws IOException {
        Path file = Files.writeString(
                folder.resolve("flows.csv"),
                "start,src,dst,bytes\n0,0,2,134400\n1000,0,2,268800\n1500,1,2,268800\n9000,3,1,1344\n");
        Scenario flows = scenario("traffic.pattern", "file", "traffic.file", file.toString());
        Transfer frame = new Transfer(3, 2, 1344);
        StartTimes times = StartTimes.ofFlows(flows, 1_000_000, List.of(frame));
        assertThat(times.at(frame, 0).highestLoad()).isEqualTo(0.3515, within(1e-9));
        assertThat(times.at(frame, 0).durationNs()).isEqualTo(237.030, within(1e-9)); // from one link: no wait
        assertThat(times.at(frame, 1_900_000).reason()).contains("has a load of 1.41");
        assertThat(times.at(frame, 2_000_000).highestLoad()).isEqualTo(1.406 - 1, within(1e-9));
        assertThat(times.at(frame, 3_000_000).highestLoad()).isZero();
        assertThat(times.at(frame, 3_000_000).durationNs()).isEqualTo(237.030, within(1e-9));
    }

    @Test
    void whatCannotBeKnown_isRefusedWithTheReason() {
        Transfer far = new Transfer(0, 40, 1344);
        assertThatThrownBy(() -> StartTimes.of(List.of(new Window(0, load("0.5"))), List.of(far)))
                .isInstanceOf(InvalidValueException.class)
                .hasMessage("no route from host 0 to host 40, hosts are 0 .. 9");
        Scenario hashed = scenario("topology.kind", "leaf-spine", "traffic.pattern", "uniform", "traffic.flows", "8");
        Transfer pair = new Transfer(0, 7, 1344);
        assertThatThrownBy(() -> StartTimes.of(List.of(new Window(0, hashed)), List.of(pair)))
                .hasMessageContaining("flows share links as their hashes fall");
        Scenario closed = scenario("traffic.arrivals", "once");
        assertThatThrownBy(() -> StartTimes.of(List.of(new Window(0, closed)), List.of(pair)))
                .hasMessageContaining("has no load");
    }
}
