package io.github.rhosweep.scenario;

import java.util.Collection;

/** Finds the known name that a misspelt one most likely meant (Levenshtein distance at most a third of its length). */
public final class NearestName {
    private NearestName() {}

    /** {@code ". Maybe `x`?"} if a known name is near, else empty. Ties go to the first in iteration order. */
    public static String advice(String found, Collection<String> known) {
        String best = "";
        int bestDistance = Math.max(2, found.length() / 3) + 1;
        if (found.length() <= 200) {
            for (String name : known) {
                int distance = distance(found, name);
                if (distance < bestDistance) {
                    bestDistance = distance;
                    best = name;
                }
            }
        }
        return best.isEmpty() ? "" : ". Maybe `" + best + "`?";
    }

    private static int distance(String a, String b) {
        int[] row = new int[b.length() + 1];
        for (int j = 0; j <= b.length(); j++) {
            row[j] = j;
        }
        for (int i = 1; i <= a.length(); i++) {
            int diagonal = row[0];
            row[0] = i;
            for (int j = 1; j <= b.length(); j++) {
                int substituted = diagonal + (a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1);
                diagonal = row[j];
                row[j] = Math.min(substituted, Math.min(row[j], row[j - 1]) + 1);
            }
        }
        return row[b.length()];
    }
}
