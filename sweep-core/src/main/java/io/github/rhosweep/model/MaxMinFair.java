package io.github.rhosweep.model;

import java.util.Arrays;

/**
 * Max-min fair rates by progressive filling (Bertsekas and Gallager, Data Networks, section 6.5.2): all rates grow together; where a link is
 * full, the flows on it stop. A flow may use a link with a fraction of its rate only, where it is split over several ways.
 */
final class MaxMinFair {
    private MaxMinFair() {}

    /**
     * Rates of flows.
     *
     * @param capacity of each link
     * @param links of each flow
     * @param fractions of each flow's rate on each of its links
     * @param active flows that take part; the others have rate 0
     */
    static double[] rates(double[] capacity, int[][] links, double[][] fractions, boolean[] active) {
        double[] left = capacity.clone();
        double[] rate = new double[links.length];
        boolean[] growing = active.clone();
        double[] weight = new double[capacity.length];
        while (true) {
            Arrays.fill(weight, 0);
            boolean any = false;
            for (int f = 0; f < links.length; f++) {
                if (growing[f]) {
                    any = true;
                    for (int i = 0; i < links[f].length; i++) {
                        weight[links[f][i]] += fractions[f][i];
                    }
                }
            }
            if (!any) {
                return rate;
            }
            double step = Double.POSITIVE_INFINITY;
            for (int l = 0; l < left.length; l++) {
                if (weight[l] > 0) {
                    step = Math.min(step, Math.max(0, left[l]) / weight[l]);
                }
            }
            boolean[] full = new boolean[left.length];
            for (int l = 0; l < left.length; l++) {
                if (weight[l] > 0) {
                    // The link that set the step is full by definition, whatever the rounding.
                    full[l] = left[l] / weight[l] <= step * (1 + 1e-12);
                    left[l] -= step * weight[l];
                }
            }
            for (int f = 0; f < links.length; f++) {
                if (growing[f]) {
                    rate[f] += step;
                    for (int l : links[f]) {
                        growing[f] &= !full[l];
                    }
                }
            }
        }
    }

    /** When each flow of so much work is done, all beginning at 0, rates shared anew whenever one ends. */
    static double[] completions(double[] capacity, int[][] links, double[][] fractions, double[] work) {
        double[] left = work.clone();
        double[] done = new double[work.length];
        boolean[] active = new boolean[work.length];
        Arrays.fill(active, true);
        int open = work.length;
        double now = 0;
        while (open > 0) {
            double[] rate = rates(capacity, links, fractions, active);
            double next = Double.POSITIVE_INFINITY;
            for (int f = 0; f < work.length; f++) {
                if (active[f]) {
                    next = Math.min(next, left[f] / rate[f]);
                }
            }
            now += next;
            for (int f = 0; f < work.length; f++) {
                if (active[f]) {
                    boolean ends = left[f] / rate[f] <= next * (1 + 1e-12);
                    left[f] -= rate[f] * next;
                    if (ends) {
                        active[f] = false;
                        done[f] = now;
                        open--;
                    }
                }
            }
        }
        return done;
    }
}
