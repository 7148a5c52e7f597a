package io.github.rhosweep.design;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.github.rhosweep.scenario.Parameter;
import io.github.rhosweep.scenario.Parameters;
import io.github.rhosweep.scenario.Params;
import io.github.rhosweep.scenario.Scenario;
import io.github.rhosweep.scenario.SemanticsVersion;
import io.github.rhosweep.scenario.TrafficSpec;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Map;

/**
 * Keys and seeds, from content alone: no file name, order of axes, shard or machine enters.
 *
 * <p><b>Canonical form</b> of a point, UTF-8, lines ended by LF:
 * <pre>
 * semantics=2
 * random_numbers=common
 * link.bandwidth=400
 * ...
 * traffic.self=true
 * </pre>
 * First the kernel's semantics version ({@link SemanticsVersion}), then {@code random_numbers}, then a line {@code path=value} for
 * every parameter that applies at the point, has a value and is part of a point's identity (some are at other values than their
 * default only: {@link Parameter#inKey(String)}), sorted by path (by UTF-16 code unit,
 * paths being ASCII). Defaults are filled in. Numbers are in base units (bytes, ns, GB/s) as the shortest decimal of their exact
 * value: no exponent, no trailing zeros, 0 for -0. Choices are in lower case with hyphens, flags {@code true} or {@code false}.
 *
 * <p>The <b>point key</b> is the first 128 bits of the SHA-256 of that form, in 32 lower-case hexadecimal digits. A <b>run key</b>
 * is the point key, a hyphen and the replicate in decimal.
 *
 * <p>A <b>run's seed</b> is the first 64 bits, big-endian, of the SHA-256 of
 * {@code "independent\n" + run key + "\n"}, or, with common random numbers, of {@code "common\n"}, the lines of the canonical form
 * whose path begins with {@code traffic.} but for {@code traffic.load}, and {@code "replicate=" + replicate + "\n"}.
 */
public final class Identity {
    private Identity() {}

    /** The canonical form that the key of a point is made of. */
    public static String canonicalForm(Params params, RandomNumbers randomNumbers) {
        return "semantics=" + SemanticsVersion.CURRENT + "\nrandom_numbers=" + Parameter.label(randomNumbers) + "\n"
                + lines(Scenario.canonical(params, Parameter::inKey));
    }

    /** The key of a point: 32 hexadecimal digits. */
    public static String pointKey(Params params, RandomNumbers randomNumbers) {
        return HexFormat.of().formatHex(sha256(canonicalForm(params, randomNumbers)), 0, 16);
    }

    /** The key of one run of a point. */
    public static String runKey(String pointKey, int replicate) {
        return pointKey + "-" + replicate;
    }

    /** The seed of one run of a point. */
    public static long runSeed(Params params, RandomNumbers randomNumbers, int replicate) {
        return runSeed(seedText(params, pointKey(params, randomNumbers), randomNumbers), replicate);
    }

    /** What the seeds of a point's runs are made of, but for the replicate. */
    static String seedText(Params params, String pointKey, RandomNumbers randomNumbers) {
        return switch (randomNumbers) {
            case INDEPENDENT -> "independent\n" + pointKey + "-";
            case COMMON ->
                "common\n"
                        + lines(Scenario.canonical(
                                params,
                                p -> p.inKey() && p.path().startsWith("traffic.") && !p.equals(TrafficSpec.LOAD)))
                        + "replicate=";
        };
    }

    /** The seed of one run from its point's {@link #seedText}. */
    static long runSeed(String seedText, int replicate) {
        return seed(seedText + replicate + "\n");
    }

    private static String lines(Map<String, String> texts) {
        StringBuilder lines = new StringBuilder();
        texts.forEach((path, text) -> {
            if (Parameters.named(path).inKey(text)) {
                lines.append(path).append('=').append(text).append('\n');
            }
        });
        return lines.toString();
    }

    private static long seed(String text) {
        byte[] hash = sha256(text);
        long seed = 0;
        for (int i = 0; i < 8; i++) {
            seed = seed << 8 | (hash[i] & 0xFF);
        }
        return seed;
    }

    private static byte[] sha256(String text) {
        try {
            return MessageDigest.getInstance("SHA-256").digest(text.getBytes(UTF_8));
        } catch (NoSuchAlgorithmException impossible) {
            throw new IllegalStateException("every Java platform has SHA-256", impossible);
        }
    }
}
