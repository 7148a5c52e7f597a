package io.github.rhosweep.kernel;

/** Numbers that tell the quantities of a series apart. */
final class SeriesKeys {
    static final long STOPPED = 1;
    static final long PAUSES = 2;

    private SeriesKeys() {}

    static long fill(int sw) {
        return 1L << 40 | sw;
    }

    static long queue(int end) {
        return 2L << 40 | end;
    }

    static long rate(int flow) {
        return 3L << 40 | flow;
    }
}
