package io.github.rhosweep.kernel;

/**
 * A quantity with a known mean that is computed from the offers alone and goes up and down with the latency: it takes the noise of
 * the arrivals out of a measured mean (Lavenberg and Welch 1981).
 */
public interface ControlVariate {
    /** None: every value is 0, the mean does not exist. */
    ControlVariate NONE = new ControlVariate() {
        @Override
        public long observePs(long offerTimePs, int destination, long frames) {
            return 0;
        }

        @Override
        public double meanPs() {
            return Double.NaN;
        }
    };

    /**
     * A message is offered. To be called for every offer, measured or not, in the order of time.
     *
     * @param offerTimePs in ps
     * @param destination host to which it goes
     * @param frames frames of the message
     * @return the value that belongs to this message, 0 or more, in ps
     */
    long observePs(long offerTimePs, int destination, long frames);

    /** The expectation of the value in the steady state, in ps; NaN if it is not known. */
    double meanPs();
}
