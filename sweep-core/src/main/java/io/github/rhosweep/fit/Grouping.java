package io.github.rhosweep.fit;

import io.github.rhosweep.scenario.InvalidValueException;
import io.github.rhosweep.scenario.NearestName;
import io.github.rhosweep.scenario.Quantity;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.function.Function;

/** By what points are told apart that get coefficients of their own. */
public enum Grouping {
    PATTERN(Conditions::pattern),
    TOPOLOGY(Conditions::topology),
    /** Rounds of iSLIP; one group where there is one egress. */
    ITERATIONS(c -> {
        double rounds = c.get(Feature.ISLIP_ITERATIONS);
        return Double.isNaN(rounds) ? "any" : Quantity.canonical(BigDecimal.valueOf(rounds));
    });

    @SuppressWarnings("ImmutableEnumChecker") // stateless
    private final Function<Conditions, String> value;

    Grouping(Function<Conditions, String> value) {
        this.value = value;
    }

    /** Its name on the command line and in files. */
    public String id() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** The group of some conditions: {@code pattern=uniform iterations=2}. */
    static String group(Set<Grouping> by, Conditions conditions) {
        List<String> parts = new ArrayList<>();
        for (Grouping grouping : by) {
            parts.add(grouping.id() + "=" + grouping.value.apply(conditions));
        }
        return parts.isEmpty() ? "all" : String.join(" ", parts);
    }

    /**
     * Reads names.
     *
     * @throws InvalidValueException naming the nearest, for an unknown one
     */
    public static Set<Grouping> of(List<String> ids) {
        Set<Grouping> by = EnumSet.noneOf(Grouping.class);
        for (String id : ids) {
            by.add(Arrays.stream(values())
                    .filter(g -> g.id().equals(id))
                    .findFirst()
                    .orElseThrow(() -> {
                        List<String> known =
                                Arrays.stream(values()).map(Grouping::id).toList();
                        return new InvalidValueException("--by " + id + ": expected one of " + String.join(", ", known)
                                + NearestName.advice(id, known));
                    }));
        }
        return by;
    }
}
