package io.github.rhosweep.model;

/**
 * What transfers add to an iteration of a pipeline of stages, forward and backward (GPipe: Huang et al. 2019): the first micro-batch has
 * stages - 1 of them ahead of it, and the last gradient as many: 2 (stages-1) times what one transfer takes. Those of other micro-batches
 * overlap with computing.
 */
final class PipelineBubble {
    private PipelineBubble() {}

    /** In the unit of {@code transfer}. */
    static double bubble(int stages, double transfer) {
        return 2.0 * (stages - 1) * transfer;
    }
}
