package io.github.rhosweep.math;

import java.util.function.DoubleSupplier;

/** Waits in a single-server FIFO queue by Lindley's recursion, with a service time of mean 1000000 ps: nothing of the simulator. */
final class Lindley {
    static final long SERVICE_PS = 1_000_000;

    private final Slicing slicing = new Slicing();
    final SlicedSeries series = new SlicedSeries(slicing);
    /** Slices in use. */
    int end;

    /** M/D/1 waits from an empty start; the control variate of a sample is the wait itself. */
    void md1(long seed, double rho, int n) {
        mg1(seed, rho, n, () -> 1);
    }

    /**
     * M/G/1 waits from an empty start; the control variate is the wait that the same arrivals have with constant service.
     *
     * @param service service times of mean 1
     */
    void mg1(long seed, double rho, int n, DoubleSupplier service) {
        RandomStream arrivals = RandomStream.named(seed, "arrivals", 0);
        slicing.reset((long) (n * SERVICE_PS / rho));
        series.reset();
        double time = 0;
        double workload = 0;
        double control = 0;
        for (int i = 0; i < n; i++) {
            double gap = arrivals.nextExponential() * SERVICE_PS / rho;
            time += gap;
            workload = Math.max(0, workload - gap);
            control = Math.max(0, control - gap);
            series.record((long) time, Math.round(workload), Math.round(control));
            workload += service.getAsDouble() * SERVICE_PS;
            control += SERVICE_PS;
        }
        end = slicing.sliceOf((long) time) + 1;
    }

    /** Mean wait (Pollaczek, Khinchine), in ps. */
    static double mg1Wait(double rho, double serviceScv) {
        return SERVICE_PS * rho * (1 + serviceScv) / (2 * (1 - rho));
    }
}
