package io.github.rhosweep.scenario;

import java.math.BigDecimal;
import java.math.MathContext;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * DCQCN, the rate control of Zhu et al., SIGCOMM 2015 ("Congestion control for large-scale RDMA deployments"), every constant a
 * parameter.
 *
 * @param g weight of a notification in alpha
 * @param initialAlpha alpha of a sender that never got one
 * @param alphaTimerPs time without a notification after which alpha decays, in ps
 * @param cnpIntervalPs least time between two notifications of one flow, in ps
 * @param rateTimerPs time after which a sender raises its rate, in ps
 * @param byteCounter wire bytes sent after which it does so too; {@link Long#MAX_VALUE} if it does not
 * @param fastRecovery F, raises that only halve the distance to the rate before the cut
 * @param rateAi R_AI, additive increase in GB/s
 * @param rateHai R_HAI, hyper increase in GB/s
 * @param rateMin R_min in GB/s
 * @param alphaUpdate whether a cut uses alpha before or after its update
 */
public record DcqcnSpec(
        double g,
        double initialAlpha,
        long alphaTimerPs,
        long cnpIntervalPs,
        long rateTimerPs,
        long byteCounter,
        long fastRecovery,
        double rateAi,
        double rateHai,
        double rateMin,
        AlphaUpdate alphaUpdate) {

    /** Sets of constants. */
    public enum Preset {
        /** {@link #PAPER_40G} with times divided and rates multiplied by bandwidth / 40 Gb/s: the same system in frame times. */
        SCALED("1/256", "55000", "50000", "55000", "10000000", 5, "0.005", "0.025", "0.0125", true),
        /** The paper's, for 40 Gb/s. */
        PAPER_40G("1/256", "55000", "50000", "55000", "10000000", 5, "0.005", "0.025", "0.0125", false),
        /** Those of the HPCC simulator (Li et al., SIGCOMM 2019); rates are for 200 Gb/s and linear in bandwidth. */
        HPCC("1/256", "1000", "4000", "300000", null, 1, "0.005", "0.05", "0.0125", false),
        /** What NICs are delivered with. */
        VENDOR("5/1024", "1000", "4000", "300000", "32767", 1, "0.000625", "0.00625", "0.000125", false);

        private final BigDecimal g;
        private final BigDecimal alphaTimer;
        private final BigDecimal cnpInterval;
        private final BigDecimal rateTimer;
        private final Long byteCounter;
        private final Long fastRecovery;
        private final BigDecimal rateAi;
        private final BigDecimal rateHai;
        private final BigDecimal rateMin;
        private final boolean scaled;

        Preset(
                String g,
                String alphaTimer,
                String cnpInterval,
                String rateTimer,
                @Nullable String byteCounter,
                long fastRecovery,
                String rateAi,
                String rateHai,
                String rateMin,
                boolean scaled) {
            String[] fraction = g.split("/", 2);
            this.g = new BigDecimal(fraction[0]).divide(new BigDecimal(fraction[1]));
            this.alphaTimer = new BigDecimal(alphaTimer);
            this.cnpInterval = new BigDecimal(cnpInterval);
            this.rateTimer = new BigDecimal(rateTimer);
            this.byteCounter = byteCounter == null ? NO_BYTE_COUNTER : Long.valueOf(byteCounter);
            this.fastRecovery = fastRecovery;
            this.rateAi = new BigDecimal(rateAi);
            this.rateHai = new BigDecimal(rateHai);
            this.rateMin = new BigDecimal(rateMin);
            this.scaled = scaled;
        }

        private BigDecimal time(BigDecimal ns, Params p) {
            return scaled ? ns.divide(timesBandwidth(p, "5"), MathContext.DECIMAL64) : ns;
        }

        private BigDecimal rate(BigDecimal gbPerS, Params p) {
            return scaled ? gbPerS.multiply(timesBandwidth(p, "5")) : gbPerS;
        }

        /** R_AI and R_HAI: those of the HPCC simulator grow with the bandwidth too. */
        private BigDecimal increase(BigDecimal gbPerS, Params p) {
            return this == HPCC ? gbPerS.multiply(timesBandwidth(p, "25")) : rate(gbPerS, p);
        }

        /** The NIC's bandwidth in multiples of another, in GB/s. */
        private static BigDecimal timesBandwidth(Params p, String gbPerS) {
            BigDecimal line = p.get(LinkSpec.BANDWIDTH);
            // Unlimited links are refused elsewhere; until then any number will do.
            return line.signum() == 0 ? BigDecimal.ONE : line.divide(new BigDecimal(gbPerS), MathContext.DECIMAL64);
        }
    }

    /** Whether the cut at a notification uses alpha as it was (the paper's order) or as the notification leaves it. */
    public enum AlphaUpdate {
        AFTER,
        BEFORE
    }

    /** Stands for no byte counter. */
    public static final Long NO_BYTE_COUNTER = 0L;

    private static final String ON = "transport.sender is dcqcn";

    public static final Parameter<Preset> PRESET = Parameter.choice("dcqcn.preset", Preset.class)
            .byDefault("scaled")
            .onlyWhen(ON, DcqcnSpec::on)
            .doc("Where the constants of DCQCN come from that are not given themselves");
    public static final Parameter<BigDecimal> G = Parameter.real("dcqcn.g")
            .between("0", "1")
            .derived("of the preset", p -> preset(p).g)
            .onlyWhen(ON, DcqcnSpec::on)
            .doc("g: weight of a notification in alpha, alpha = (1 - g) alpha + g");
    public static final Parameter<BigDecimal> INITIAL_ALPHA = Parameter.real("dcqcn.initial_alpha")
            .between("0", "1")
            .byDefault("1")
            .onlyWhen(ON, DcqcnSpec::on)
            .doc("alpha before the first notification: 1 makes the first cut a half");
    public static final Parameter<BigDecimal> ALPHA_TIMER = timer(
            "dcqcn.alpha_timer",
            (preset, p) -> preset.time(preset.alphaTimer, p),
            "Time without a notification after which alpha decays");
    public static final Parameter<BigDecimal> CNP_INTERVAL = timer(
            "dcqcn.cnp_interval",
            (preset, p) -> preset.time(preset.cnpInterval, p),
            "Least time between two notifications (CNP) of one flow");
    public static final Parameter<BigDecimal> RATE_TIMER = timer(
            "dcqcn.rate_timer",
            (preset, p) -> preset.time(preset.rateTimer, p),
            "Time after which a sender raises its rate");
    public static final Parameter<Long> BYTE_COUNTER = Parameter.bytes("dcqcn.byte_counter")
            .between("1", null)
            .word("none", NO_BYTE_COUNTER)
            .derived("of the preset", p -> preset(p).byteCounter)
            .onlyWhen(ON, DcqcnSpec::on)
            .doc("Wire bytes sent after which a sender raises its rate");
    public static final Parameter<Long> FAST_RECOVERY = Parameter.count("dcqcn.fast_recovery")
            .between("0", "1000000")
            .derived("of the preset", p -> preset(p).fastRecovery)
            .onlyWhen(ON, DcqcnSpec::on)
            .doc("F: raises that only halve the distance to the rate before the cut");
    public static final Parameter<BigDecimal> RATE_AI =
            rate("dcqcn.rate_ai", (preset, p) -> preset.increase(preset.rateAi, p), "R_AI: additive increase");
    public static final Parameter<BigDecimal> RATE_HAI =
            rate("dcqcn.rate_hai", (preset, p) -> preset.increase(preset.rateHai, p), "R_HAI: hyper increase");
    public static final Parameter<BigDecimal> RATE_MIN =
            rate("dcqcn.rate_min", (preset, p) -> preset.rate(preset.rateMin, p), "Rmin: no cut goes below");
    public static final Parameter<AlphaUpdate> ALPHA_UPDATE = Parameter.choice("dcqcn.alpha_update", AlphaUpdate.class)
            .byDefault("after")
            .onlyWhen(ON, DcqcnSpec::on)
            .doc("Whether a notification updates alpha after the cut, as in the paper, or before it");

    static final List<Parameter<?>> PARAMETERS = List.of(
            PRESET,
            G,
            INITIAL_ALPHA,
            ALPHA_TIMER,
            CNP_INTERVAL,
            RATE_TIMER,
            BYTE_COUNTER,
            FAST_RECOVERY,
            RATE_AI,
            RATE_HAI,
            RATE_MIN,
            ALPHA_UPDATE);

    @FunctionalInterface
    private interface OfPreset {
        BigDecimal value(Preset preset, Params p);
    }

    private static Parameter<BigDecimal> timer(String path, OfPreset value, String doc) {
        return Parameter.time(path)
                .between("0.001", "1e12")
                .derived("of the preset", of(value))
                .onlyWhen(ON, DcqcnSpec::on)
                .doc(doc);
    }

    private static Parameter<BigDecimal> rate(String path, OfPreset value, String doc) {
        return Parameter.bandwidth(path)
                .between("0.000000001", "1000000")
                .derived("of the preset", of(value))
                .onlyWhen(ON, DcqcnSpec::on)
                .doc(doc);
    }

    private static Function<Params, BigDecimal> of(OfPreset value) {
        return p -> value.value(preset(p), p);
    }

    private static Preset preset(Params p) {
        return p.get(PRESET);
    }

    private static boolean on(Params p) {
        return p.get(TransportSpec.SENDER) == TransportSpec.Sender.DCQCN;
    }

    static DcqcnSpec bind(Params p) {
        long bytes = p.get(BYTE_COUNTER);
        return new DcqcnSpec(
                p.get(G).doubleValue(),
                p.get(INITIAL_ALPHA).doubleValue(),
                atLeastOne(p.get(ALPHA_TIMER)),
                SwitchSpec.picoseconds(p.get(CNP_INTERVAL)),
                atLeastOne(p.get(RATE_TIMER)),
                bytes == NO_BYTE_COUNTER ? Long.MAX_VALUE : bytes,
                p.get(FAST_RECOVERY),
                p.get(RATE_AI).doubleValue(),
                p.get(RATE_HAI).doubleValue(),
                p.get(RATE_MIN).doubleValue(),
                p.get(ALPHA_UPDATE));
    }

    /** A timer in ps: one that rounds to 0 would expire for ever. */
    private static long atLeastOne(BigDecimal ns) {
        return Math.max(1, SwitchSpec.picoseconds(ns));
    }
}
