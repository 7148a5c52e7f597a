package io.github.rhosweep.fit;

import io.github.rhosweep.math.RandomStream;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;

/** Splits points so that those that share random numbers stay together. */
final class Folds {
    private Folds() {}

    /**
     * A fold for each point.
     *
     * @param streams of each point
     * @param folds how many
     * @param random shuffles the streams
     */
    static int[] random(List<String> streams, int folds, RandomStream random) {
        List<String> distinct = new ArrayList<>(new TreeSet<>(streams));
        Map<String, Integer> fold = new HashMap<>();
        for (int i = distinct.size() - 1; i >= 0; i--) {
            int j = random.nextInt(i + 1);
            String chosen = distinct.get(j);
            distinct.set(j, distinct.get(i));
            fold.put(chosen, i % folds);
        }
        return streams.stream().mapToInt(s -> fold.getOrDefault(s, 0)).toArray();
    }
}
