package io.github.rhosweep.scenario;

import java.util.random.RandomGenerator;

/** Who sends to whom. {@code flows} (N) are the senders of an incast and the hosts of every other pattern. */
public sealed interface Pattern
        permits Pattern.Incast,
                Pattern.Uniform,
                Pattern.Permutation,
                Pattern.Diagonal,
                Pattern.Hotspot,
                RandomMatrix,
                Pattern.Pipeline,
                ClosedPattern {
    /** Sources: hosts 0 .. so many - 1 offer messages of their own. */
    default int sources(int flows) {
        return flows;
    }

    /** Messages offered in the mean gap of one source, by all sources together and by who passes them on. */
    default int messagesPerGap(int flows) {
        return flows;
    }

    /** Where a host passes a message on to that it has received; -1 if it keeps it. */
    default int next(int host, int flows) {
        return -1;
    }

    /** Hosts that the pattern needs for so many flows. */
    default int hostsNeeded(int flows) {
        return flows;
    }

    /** The host that the next message of {@code source} (0 .. flows-1) goes to. */
    int destination(int source, int flows, RandomGenerator random);

    /** Messages of {@code source}, for each that a source offers, that go to {@code destination}: a probability where all hosts offer some. */
    double share(int source, int destination, int flows);

    /** Sum of {@link #share} over all sources. */
    default double egressShare(int destination, int flows) {
        return destination < flows ? 1 : 0;
    }

    /**
     * Messages per second at the busiest egress, as a multiple of what one source offers. The mean gap between the messages of a
     * source is this times the service time of a message over the load.
     */
    default double busiestEgressShare(int flows) {
        return 1;
    }

    /** The busiest egress (any of them where all are equal). */
    default int busiestEgress(int flows) {
        return 0;
    }

    /** Sources that send to the busiest egress. */
    default int contenders(int flows) {
        return flows;
    }

    /** Whether several sources send to one egress, so that matching and buffering matter. */
    default boolean contends(int flows) {
        return contenders(flows) > 1;
    }

    /** Egresses that receive anything. */
    default int activeEgresses(int flows) {
        return flows;
    }

    /** N senders, hosts 0 .. N-1, to one receiver, host N. */
    record Incast() implements Pattern {
        @Override
        public int hostsNeeded(int flows) {
            return flows + 1;
        }

        @Override
        public double share(int source, int destination, int flows) {
            return destination == flows ? 1 : 0;
        }

        @Override
        public double egressShare(int destination, int flows) {
            return destination == flows ? flows : 0;
        }

        @Override
        public int destination(int source, int flows, RandomGenerator random) {
            return flows;
        }

        @Override
        public double busiestEgressShare(int flows) {
            return flows;
        }

        @Override
        public int busiestEgress(int flows) {
            return flows;
        }

        @Override
        public int activeEgresses(int flows) {
            return 1;
        }
    }

    /**
     * Every message to a host drawn uniformly.
     *
     * @param self whether a host sends to itself too; without it one iSLIP iteration saturates at (N-1)/N
     */
    record Uniform(boolean self) implements Pattern {
        @Override
        public double share(int source, int destination, int flows) {
            return destination >= flows || !self && destination == source ? 0 : 1.0 / (self ? flows : flows - 1);
        }

        @Override
        public int destination(int source, int flows, RandomGenerator random) {
            if (self) {
                return random.nextInt(flows);
            }
            int other = random.nextInt(flows - 1);
            return other < source ? other : other + 1;
        }

        @Override
        public int contenders(int flows) {
            return self ? flows : flows - 1;
        }
    }

    /** Host i to host i+1 (cyclic): every egress has one ingress. */
    record Permutation() implements Pattern {
        @Override
        public double share(int source, int destination, int flows) {
            return destination == (source + 1) % flows ? 1 : 0;
        }

        @Override
        public int destination(int source, int flows, RandomGenerator random) {
            return source + 1 == flows ? 0 : source + 1;
        }

        @Override
        public int contenders(int flows) {
            return 1;
        }
    }

    /** Two thirds of the messages to the own port, one third to the next: hard for a matching. */
    record Diagonal() implements Pattern {
        @Override
        public double share(int source, int destination, int flows) {
            return (destination == source ? 2 / 3.0 : 0) + (destination == (source + 1) % flows ? 1 / 3.0 : 0);
        }

        @Override
        public int destination(int source, int flows, RandomGenerator random) {
            return random.nextInt(3) < 2 ? source : source + 1 == flows ? 0 : source + 1;
        }

        @Override
        public int contenders(int flows) {
            return Math.min(2, flows);
        }
    }

    /**
     * An open pipeline: hosts of stage 0 offer messages, and each later stage but the last passes on what it receives. Every egress has one
     * ingress, and sees every message of its row once.
     *
     * @param stages of flows / stages hosts each
     */
    record Pipeline(int stages) implements Pattern {
        @Override
        public int sources(int flows) {
            return flows / stages;
        }

        @Override
        public int messagesPerGap(int flows) {
            return flows / stages * (stages - 1);
        }

        @Override
        public double share(int source, int destination, int flows) {
            return destination < flows && destination == source + flows / stages ? 1 : 0;
        }

        @Override
        public double egressShare(int destination, int flows) {
            return destination >= flows / stages && destination < flows ? 1 : 0;
        }

        @Override
        public int destination(int source, int flows, RandomGenerator random) {
            return source + flows / stages;
        }

        @Override
        public int next(int host, int flows) {
            int next = host + flows / stages;
            return next < flows ? next : -1;
        }

        @Override
        public int busiestEgress(int flows) {
            return flows / stages;
        }

        @Override
        public int contenders(int flows) {
            return 1;
        }

        @Override
        public int activeEgresses(int flows) {
            return flows - flows / stages;
        }
    }

    /**
     * A fraction of the messages to host 0, the others to a host drawn uniformly (self included).
     *
     * @param fraction of messages that go to the hot spot whatever else, 0..1
     */
    record Hotspot(double fraction) implements Pattern {
        @Override
        public double share(int source, int destination, int flows) {
            return destination >= flows ? 0 : (destination == 0 ? fraction : 0) + (1 - fraction) / flows;
        }

        @Override
        public double egressShare(int destination, int flows) {
            return destination >= flows ? 0 : (destination == 0 ? flows * fraction : 0) + 1 - fraction;
        }

        @Override
        public int destination(int source, int flows, RandomGenerator random) {
            return random.nextDouble() < fraction ? 0 : random.nextInt(flows);
        }

        @Override
        public double busiestEgressShare(int flows) {
            return flows * (fraction + (1 - fraction) / flows);
        }
    }
}
