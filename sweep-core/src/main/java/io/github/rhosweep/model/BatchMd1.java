package io.github.rhosweep.model;

/**
 * M^[X]/D/1: W = (m-1+rho)/(2(1-rho)), m = E[X^2]/E[X]: Poisson epochs that bring X frames each, here always as many: the frames of
 * all messages of an epoch.
 */
final class BatchMd1 extends VoqWaitModel {
    BatchMd1() {
        super(new Card(
                "batch_md1",
                "W = (m-1+rho)/(2(1-rho)), m = E[X^2]/E[X]",
                "rho, frames an epoch, tau",
                "Burke 1975, Operations Research 23, 830-833",
                "exact for Poisson epochs to one host over unlimited links; an upper bound where NICs pace the frames (they wait there "
                        + "too); none for other arrivals and from rho = 1"));
    }

    /** Mean wait of a frame, in service times; m = E[X^2]/E[X]. */
    static double meanWait(double rho, double m) {
        return (m - 1 + rho) / (2 * (1 - rho));
    }

    @Override
    Prediction waitNs(Point point) {
        if (!point.poissonEpochs()) {
            return Prediction.none("only for Poisson arrivals of messages or batches");
        }
        String reason = point.noSteadyState();
        return reason != null
                ? Prediction.none(reason)
                : Prediction.of(
                        meanWait(point.rho(), (double) point.messagesPerEpoch() * point.frames()) * point.tauNs());
    }
}
