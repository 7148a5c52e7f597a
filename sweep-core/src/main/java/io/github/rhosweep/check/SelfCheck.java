package io.github.rhosweep.check;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.function.Consumer;

/**
 * Proves an installed simulator where it is installed: each constant is a check against theory, the cheapest first. Nothing is random
 * from one run to the next, so that two machines that agree show the same {@link #digest}.
 */
public enum SelfCheck {
    ISLIP_STARVATION(SwitchChecks::islipStarvation),
    PRIORITIES(SwitchChecks::priorities),
    TICKS(SwitchChecks::ticks),
    ECN_LEAVING_FRAME(SwitchChecks::ecnLeavingFrame),
    ECN_DRAWS(SwitchChecks::ecnDraws),
    RESERVATIONS(SwitchChecks::reservations),
    IDLE_LATENCY(NetworkChecks::idleLatency),
    ALIGNED_SENDERS(NetworkChecks::alignedSenders),
    DYNAMIC_THRESHOLD(SwitchChecks::dynamicThreshold),
    ISLIP_BACKLOG(SwitchChecks::islipBacklog),
    ECN_RAMP(SwitchChecks::ecnRamp),
    RING_ALL_REDUCE(NetworkChecks::ringAllReduce),
    DCQCN_CUT(NetworkChecks::dcqcnCut),
    BERNOULLI_INCAST(NetworkChecks::bernoulliIncast),
    MD1(NetworkChecks::md1),
    CONCENTRATOR_MD1(NetworkChecks::concentrator),
    BATCH_MD1(NetworkChecks::batch),
    MG1(SwitchChecks::mg1),
    NDDD1(NetworkChecks::nddd1),
    OUTPUT_QUEUED(NetworkChecks::outputQueued),
    DCQCN_FIXED_POINT(NetworkChecks::dcqcn);

    @SuppressWarnings("ImmutableEnumChecker") // stateless
    private final Consumer<Findings> body;

    SelfCheck(Consumer<Findings> body) {
        this.body = body;
    }

    /** The short name: {@code islip-starvation}. */
    public String id() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /** Runs the check: seconds at most, on one core. */
    public List<Finding> run() {
        Findings findings = new Findings(id());
        body.accept(findings);
        return findings.list();
    }

    /**
     * What was found, to the last bit, in 16 hexadecimal digits.
     *
     * @param findings of all checks, in their order
     */
    public static String digest(List<Finding> findings) {
        try {
            MessageDigest hash = MessageDigest.getInstance("SHA-256");
            for (Finding finding : findings) {
                hash.update((finding.check() + "\t" + finding.what() + "\t"
                                + Long.toHexString(Double.doubleToLongBits(finding.value())) + "\n")
                        .getBytes(UTF_8));
            }
            return HexFormat.of().formatHex(hash.digest(), 0, 8);
        } catch (NoSuchAlgorithmException impossible) {
            throw new IllegalStateException("every Java platform has SHA-256", impossible);
        }
    }
}
