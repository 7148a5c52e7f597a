package io.github.rhosweep.design;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.rhosweep.scenario.Params;
import java.util.Locale;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class IdentityTest {
    private static final Params DEFAULTS = Params.parse(Map.of());

    /** Written out by hand; the hashes below are those that `sha256sum` gives of this text. */
    private static final String CANONICAL = """
            semantics=2
            random_numbers=common
            flow_control.kind=lossy
            link.bandwidth=400
            link.latency=100
            measure.kind=steady
            measure.messages=20000
            measure.warmup=auto
            switch.admission=simplified
            switch.alpha=2
            switch.arbiter_ns_per_iteration=0
            switch.buffer_capacity_bytes=16777216
            switch.buffer_scope=shared
            switch.ecn_kmax=0.8
            switch.ecn_kmin=0.5
            switch.ecn_pmax=1
            switch.ecn_scope=global
            switch.egress_gate=overlap
            switch.forwarding_latency_ns=30
            switch.frame_size_bytes=1406
            switch.islip_iterations=2
            switch.pointer_init=zero
            switch.port_bandwidth_gb_per_s=400
            switch.port_count=9
            switch.priority_mode=flat
            topology.hosts=9
            topology.kind=single-switch
            traffic.arrivals=poisson
            traffic.flows=8
            traffic.frame_payload_bytes=1344
            traffic.load=0.5
            traffic.message=65536
            traffic.pattern=incast
            transport.acks=false
            transport.credits=none
            transport.qps_per_connection=1
            transport.recovery=none
            transport.sender=open
            """;

    @Test
    void canonicalForm_isAsDocumented() {
        assertThat(Identity.canonicalForm(DEFAULTS, RandomNumbers.COMMON)).isEqualTo(CANONICAL);
    }

    @Test
    void keysAndSeeds_areThoseOfSha256sum() {
        assertThat(Identity.pointKey(DEFAULTS, RandomNumbers.COMMON)).isEqualTo("fc44691c335a1d6bf73902010904a7cc");
        assertThat(Identity.runSeed(DEFAULTS, RandomNumbers.COMMON, 3)).isEqualTo(0xa3520b12522695dcL);
        assertThat(Identity.pointKey(DEFAULTS, RandomNumbers.INDEPENDENT))
                .isEqualTo("780ac50a12b39e13035f2ffefb011c1b");
        assertThat(Identity.runSeed(DEFAULTS, RandomNumbers.INDEPENDENT, 3)).isEqualTo(0xc6990824b318f01eL);
    }

    @ParameterizedTest
    @CsvSource({
        "traffic.message, 64 KiB, 65536 B",
        "traffic.message, 65.536 kB, 64KiB",
        "switch.alpha, 1, 1.0",
        "switch.alpha, 1e0, 10E-1",
        "switch.alpha, 0, -0.0",
        "switch.alpha, 2, +2.",
        "link.latency, 2 us, 2000 ns",
        "link.bandwidth, 400 Gb/s, 50 GB/s",
        "switch.buffer_capacity_bytes, 16 MiB, 16777216",
        "switch.forwarding_latency_ns, 30, 0.03 us",
    })
    void key_ignoresHowANumberIsWritten(String path, String one, String other) {
        assertThat(key(Map.of(path, one))).isEqualTo(key(Map.of(path, other)));
    }

    @Test
    void key_isTheSameWhetherADefaultIsGivenOrNot() {
        assertThat(key(Map.of("switch.alpha", "2", "switch.port_count", "9", "measure.messages", "20000")))
                .isEqualTo(key(Map.of()));
        assertThat(key(Map.of("switch.frame_size_bytes", "auto"))).isEqualTo(key(Map.of()));
        assertThat(key(Map.of("switch.frame_size_bytes", "auto", "traffic.message", "1000 B")))
                .isEqualTo(key(Map.of("switch.frame_size_bytes", "1062", "traffic.message", "1000 B")));
    }

    @Test
    void key_leavesOutWhatDoesNotApplyOrChangesNothing() {
        assertThat(Identity.canonicalForm(
                        Params.parse(Map.of("topology.kind", "direct", "traffic.flows", "1")), RandomNumbers.COMMON))
                .doesNotContain("switch.")
                .doesNotContain("traffic.jitter");
        assertThat(key(Map.of("limits.events", "5", "model.low_threshold_rho", "0.2", "switch.priority_count", "8")))
                .isEqualTo(key(Map.of()));
    }

    @Test
    void key_leavesOutDefaultsOfWhatCameLater_andTakesOtherValuesIn() {
        assertThat(key(Map.of("switch.frame_format", "standard"))).isEqualTo(key(Map.of()));
        assertThat(Identity.canonicalForm(
                        Params.parse(Map.of("switch.frame_format", "afh-gen1")), RandomNumbers.COMMON))
                .contains("switch.frame_format=afh-gen1\n");
    }

    @Test
    void key_isTheSameUnderATurkishLocale() {
        Locale before = Locale.getDefault();
        String key = key(Map.of("traffic.pattern", "diagonal"));
        try {
            Locale.setDefault(Locale.forLanguageTag("tr-TR"));
            assertThat(key(Map.of("traffic.pattern", "diagonal"))).isEqualTo(key);
            assertThat(Identity.canonicalForm(DEFAULTS, RandomNumbers.COMMON)).isEqualTo(CANONICAL);
        } finally {
            Locale.setDefault(before);
        }
    }

    @Test
    void commonSeeds_areSharedAlongSwitchSettingsAndLoad_andDifferWithTrafficAndReplicate() {
        long seed = seed(Map.of(), 0);
        assertThat(seed(Map.of("switch.alpha", "8", "switch.islip_iterations", "4"), 0))
                .isEqualTo(seed);
        assertThat(seed(Map.of("traffic.load", "0.9"), 0)).isEqualTo(seed);
        assertThat(seed(Map.of("traffic.flows", "9"), 0)).isNotEqualTo(seed);
        assertThat(seed(Map.of("traffic.message", "1 KiB"), 0)).isNotEqualTo(seed);
        assertThat(seed(Map.of(), 1)).isNotEqualTo(seed);
    }

    private static String key(Map<String, String> texts) {
        return Identity.pointKey(Params.parse(texts), RandomNumbers.COMMON);
    }

    private static long seed(Map<String, String> texts, int replicate) {
        return Identity.runSeed(Params.parse(texts), RandomNumbers.COMMON, replicate);
    }
}
