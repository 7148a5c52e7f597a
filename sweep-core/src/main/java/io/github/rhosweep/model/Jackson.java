package io.github.rhosweep.model;

/** Jackson 1957: an open network of exponential servers behaves as M/M/1 queues side by side. Perhaps times a safety factor on the waits. */
final class Jackson extends NetworkModel {
    private final double safety;

    private Jackson(Card card, double safety) {
        super(card);
        this.safety = safety;
    }

    static Jackson plain() {
        return new Jackson(card("jackson", "T = T_ab + sum over hops of rho_l/(1-rho_l) S_l", "Jackson 1957"), 1);
    }

    /** The design's rule of thumb for bursts: waits times 1.5 or 2. */
    static Jackson withSafety(String id, double safety) {
        return new Jackson(
                card(
                        id,
                        "T = T_ab + " + safety + " x sum over hops of rho_l/(1-rho_l) S_l",
                        "the design's safety factor on Jackson 1957"),
                safety);
    }

    private static Card card(String id, String formula, String source) {
        return new Card(
                id,
                formula,
                "load of every link, b, tau, T_ab",
                source,
                "an approximation: service is constant here, and what leaves one server is no Poisson stream at the next (a tandem of "
                        + "equal servers without cross traffic waits 0 at the second); none without a load, from a link's load of 1, where ways "
                        + "are chosen by hash or by queue, and under PFC or credits");
    }

    @Override
    Prediction waitNs(Target target, Point point, Network network) {
        double[] waits = new double[network.links()];
        for (int link = 0; link < waits.length; link++) {
            waits[link] = safety * Mm1.meanWait(network.rho(link));
        }
        return sum(target, point, network, waits);
    }
}
