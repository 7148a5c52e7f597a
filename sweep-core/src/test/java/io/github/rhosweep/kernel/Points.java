package io.github.rhosweep.kernel;

import io.github.rhosweep.scenario.Params;
import io.github.rhosweep.scenario.Scenario;
import java.util.Map;
import java.util.TreeMap;

/** Points written as they would be in an experiment file. */
public final class Points {
    private Points() {}

    /** @param fields {@code traffic.load=0.5}, ... */
    public static Scenario of(String... fields) {
        Map<String, String> texts = new TreeMap<>();
        for (String field : fields) {
            String[] pathAndValue = field.split("=", 2);
            texts.put(pathAndValue[0], pathAndValue[1]);
        }
        return Scenario.of(Params.parse(texts));
    }
}
