package io.github.rhosweep.model;

import io.github.rhosweep.scenario.ClosedPattern;
import java.util.List;

/**
 * A pipeline whose first stage has all micro-batches from the start: the first message passes all transfers, one after the other, and
 * all others that the busiest NIC sends follow it without a gap. So each ns by which a transfer takes longer is paid once a transfer, with
 * the way back 2(stages - 1) times.
 */
final class PipelineBubble implements AnalyticModel {
    private static final Card CARD = new Card(
            "pipeline_bubble",
            "completion = h T_ab + (M - k) S, bubble = completion - time for which the busiest NIC sends; h transfers, M messages of that"
                    + " NIC, k of them of one micro-batch",
            "stages, micro-batches, chunks, alpha, beta",
            "fill and drain of a pipeline (Huang et al. 2019, GPipe, with transfers in place of computation)",
            "within a slot a transfer on an idle fabric, forward only; an approximation where both ways share NICs; other tenants and"
                    + " overlapping collectives are not seen; none for other patterns and open pipelines");

    @Override
    public Card card() {
        return CARD;
    }

    @Override
    public List<Target> targets() {
        return List.of(Target.BUBBLE, Target.COMPLETION);
    }

    @Override
    public Prediction predict(Target target, Point point) {
        if (!(point.closed() instanceof ClosedPattern.Pipeline pipeline)) {
            return Prediction.none("only for a closed pipeline");
        }
        long chunk = pipeline.messageBytes(point.traffic().flows());
        double completion = pipeline.transfers() * point.zeroLoadNs(chunk)
                - pipeline.transfersOfBusiestNic() * point.serviceNs(chunk)
                + pipeline.messagesOfBusiestNic() * point.serviceNs(chunk);
        return Prediction.of(target == Target.BUBBLE ? completion - point.busiestNicNs(pipeline) : completion);
    }
}
