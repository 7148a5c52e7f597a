package io.github.rhosweep.result;

import org.jspecify.annotations.Nullable;

/**
 * How evenly the links that leave switches were used, whole run, and how much longer frames took over a hop than in an idle network. A
 * hop is that of a frame from its arrival at a switch to its arrival at the next node. Null where no frame took one.
 *
 * @param hotspotRatio utilisation of the busiest link over the mean of all of them, idle ones included
 * @param hopInflationMax largest, over links, of the mean time of a hop over the mean time that its frames take in an idle network
 * @param hopInflationMean that of all hops of all frames together
 */
public record LinkUse(
        @Nullable Double hotspotRatio,
        @Nullable Double hopInflationMax,
        @Nullable Double hopInflationMean) {
    /** Without switches. */
    public static final LinkUse NONE = new LinkUse(null, null, null);

    /** Collects links. */
    public static final class Builder {
        private int links;
        private long mostBusyPs;
        private double busyPs;
        private double hopPs;
        private double idleHopPs;
        private double largest;

        /**
         * Adds a link.
         *
         * @param sentPs sum of the serialisation times of its frames
         * @param passagePs sum of the times from the arrival of each at the switch to the end of its serialisation
         * @param frames how many there were
         * @param fixedPs forwarding and propagation of a frame
         */
        public void add(long sentPs, long passagePs, long frames, long fixedPs) {
            links++;
            mostBusyPs = Math.max(mostBusyPs, sentPs);
            busyPs += sentPs;
            if (frames > 0) {
                double fixed = (double) frames * fixedPs;
                hopPs += passagePs + fixed;
                idleHopPs += sentPs + fixed;
                largest = Math.max(largest, (passagePs + fixed) / (sentPs + fixed));
            }
        }

        /** The use of all links added, in the order of adding. */
        public LinkUse build() {
            return busyPs == 0 ? NONE : new LinkUse(mostBusyPs * links / busyPs, largest, hopPs / idleHopPs);
        }
    }
}
