package io.github.rhosweep.scenario;

import java.util.random.RandomGenerator;

/** When a source offers its messages. All times are in ps from the start of the run. */
public sealed interface ArrivalProcess {
    /** Offer times of one source. */
    interface Source {
        /** Stands for "no more". */
        long NEVER = Long.MAX_VALUE;

        /** The next offer time, in ps, never before the one returned last; {@link #NEVER} when there are no more. */
        long nextPs();
    }

    /**
     * Starts one source.
     *
     * @param meanGapPs mean time between messages of this source, in ps
     * @param slotPs time slot of the switch, in ps
     * @param random the stream of this source: drawn from for gaps only
     */
    Source start(double meanGapPs, long slotPs, RandomGenerator random);

    /**
     * How irregular one source is over long times: the limit of variance over mean of its number of epochs, which is the squared
     * coefficient of variation of the gaps where these are independent. An epoch is one message but for {@link Batch}. NaN
     * where the source is not stationary.
     *
     * @param meanGapPs mean time between messages of this source, in ps
     * @param slotPs time slot of the switch, in ps
     */
    double epochDispersion(double meanGapPs, long slotPs);

    /** Messages that a source offers at one epoch. */
    default int messagesPerEpoch() {
        return 1;
    }

    /** One message a source, at time 0. */
    record Once() implements ArrivalProcess {
        @Override
        public Source start(double meanGapPs, long slotPs, RandomGenerator random) {
            return new Source() {
                private boolean offered;

                @Override
                public long nextPs() {
                    long time = offered ? NEVER : 0;
                    offered = true;
                    return time;
                }
            };
        }

        @Override
        public double epochDispersion(double meanGapPs, long slotPs) {
            return Double.NaN;
        }
    }

    /** One message every mean gap; the phase of each source is uniform over the gap, drawn once. */
    record Periodic() implements ArrivalProcess {
        @Override
        public Source start(double meanGapPs, long slotPs, RandomGenerator random) {
            double phase = random.nextDouble() * meanGapPs;
            return new Source() {
                private long count;

                @Override
                public long nextPs() {
                    return Math.round(phase + meanGapPs * count++);
                }
            };
        }

        @Override
        public double epochDispersion(double meanGapPs, long slotPs) {
            return 0;
        }
    }

    /** Exponential gaps. */
    record Poisson() implements ArrivalProcess {
        @Override
        public Source start(double meanGapPs, long slotPs, RandomGenerator random) {
            return new Renewal(meanGapPs) {
                @Override
                double unitGap() {
                    return exponential(random);
                }
            };
        }

        @Override
        public double epochDispersion(double meanGapPs, long slotPs) {
            return 1;
        }
    }

    /** In each time slot, at its start, a message with probability slot / mean gap. */
    record Bernoulli() implements ArrivalProcess {
        @Override
        public Source start(double meanGapPs, long slotPs, RandomGenerator random) {
            double logOfMiss = StrictMath.log1p(-Math.min(1, slotPs / meanGapPs));
            return new Source() {
                private long slot = -1;

                @Override
                public long nextPs() {
                    // Slots to the next success are geometric: 1 + floor(log(1-u) / log(1-p)); p = 1 makes the quotient
                    // 0.
                    slot += 1 + (long) (StrictMath.log(1 - random.nextDouble()) / logOfMiss);
                    return slot * slotPs;
                }
            };
        }

        @Override
        public double epochDispersion(double meanGapPs, long slotPs) {
            return 1 - Math.min(1, slotPs / meanGapPs); // geometric gaps
        }
    }

    /**
     * All sources at once, every mean gap, from time 0.
     *
     * @param jitterPs each offer is late by a uniform time of at most this, in ps
     */
    record Synchronized(long jitterPs) implements ArrivalProcess {
        @Override
        public Source start(double meanGapPs, long slotPs, RandomGenerator random) {
            return new Source() {
                private long count;
                private long last;

                @Override
                public long nextPs() {
                    long late = jitterPs == 0 ? 0 : (long) (random.nextDouble() * (jitterPs + 1.0));
                    // A jitter beyond the period must not reorder the messages of a source.
                    last = Math.max(last, Math.round(meanGapPs * count++) + late);
                    return last;
                }
            };
        }

        @Override
        public double epochDispersion(double meanGapPs, long slotPs) {
            return Double.NaN;
        }
    }

    /**
     * Gaps from two exponential phases with balanced means.
     *
     * @param scv squared coefficient of variation of the gaps, above 1
     */
    record Hyperexponential(double scv) implements ArrivalProcess {
        @Override
        public Source start(double meanGapPs, long slotPs, RandomGenerator random) {
            double first = (1 + Math.sqrt((scv - 1) / (scv + 1))) / 2;
            return new Renewal(meanGapPs) {
                @Override
                double unitGap() {
                    double probability = random.nextDouble() < first ? first : 1 - first;
                    return exponential(random) / (2 * probability);
                }
            };
        }

        @Override
        public double epochDispersion(double meanGapPs, long slotPs) {
            return scv;
        }
    }

    /**
     * Gaps that are sums of exponentials.
     *
     * @param k how many; the squared coefficient of variation is 1/k
     */
    record Erlang(int k) implements ArrivalProcess {
        @Override
        public Source start(double meanGapPs, long slotPs, RandomGenerator random) {
            return new Renewal(meanGapPs) {
                @Override
                double unitGap() {
                    double sum = 0;
                    for (int i = 0; i < k; i++) {
                        sum += exponential(random);
                    }
                    return sum / k;
                }
            };
        }

        @Override
        public double epochDispersion(double meanGapPs, long slotPs) {
            return 1.0 / k;
        }
    }

    /**
     * Exponential on and off times; while on, messages at a constant rate, so that the mean gap over all is kept.
     *
     * @param onGaps mean on time, in mean gaps
     * @param offGaps mean off time, in mean gaps
     */
    record OnOff(double onGaps, double offGaps) implements ArrivalProcess {
        @Override
        public Source start(double meanGapPs, long slotPs, RandomGenerator random) {
            double peakGap = meanGapPs * onGaps / (onGaps + offGaps);
            return new Source() {
                private double clock;
                private double onLeft = exponential(random) * onGaps * meanGapPs;

                @Override
                public long nextPs() {
                    // Time to the next message counts on time only; what is left of it at the end of an on period
                    // carries over.
                    double needed = peakGap;
                    while (needed > onLeft) {
                        needed -= onLeft;
                        clock += onLeft + exponential(random) * offGaps * meanGapPs;
                        onLeft = exponential(random) * onGaps * meanGapPs;
                    }
                    onLeft -= needed;
                    clock += needed;
                    return Math.round(clock);
                }
            };
        }

        @Override
        public double epochDispersion(double meanGapPs, long slotPs) {
            // A switch that is on with probability p = on / (on + off) and forgets at rate 1/on + 1/off: variance of
            // the
            // time on, per time, 2 p (1-p) / (1/on + 1/off); times the peak rate squared, over the mean rate.
            return 2 * offGaps * offGaps / (onGaps + offGaps);
        }
    }

    /**
     * Several messages of one source at each epoch of a Poisson process.
     *
     * @param size messages an epoch; epochs are that many times rarer
     */
    record Batch(int size) implements ArrivalProcess {
        @Override
        public Source start(double meanGapPs, long slotPs, RandomGenerator random) {
            return new Source() {
                private double clock;
                private int left;

                @Override
                public long nextPs() {
                    if (left == 0) {
                        clock += exponential(random) * meanGapPs * size;
                        left = size;
                    }
                    left--;
                    return Math.round(clock);
                }
            };
        }

        @Override
        public double epochDispersion(double meanGapPs, long slotPs) {
            return 1;
        }

        @Override
        public int messagesPerEpoch() {
            return size;
        }
    }

    /** Independent gaps of a given shape with mean 1, scaled: along the load axis one stream of unit gaps is stretched. */
    abstract class Renewal implements Source {
        private final double meanGapPs;
        private double clock;

        Renewal(double meanGapPs) {
            this.meanGapPs = meanGapPs;
        }

        abstract double unitGap();

        @Override
        public long nextPs() {
            clock += unitGap() * meanGapPs;
            return Math.round(clock);
        }
    }

    /** Exponential with mean 1, never infinite; StrictMath, so that every JDK draws the same. */
    static double exponential(RandomGenerator random) {
        return -StrictMath.log(1 - random.nextDouble());
    }
}
