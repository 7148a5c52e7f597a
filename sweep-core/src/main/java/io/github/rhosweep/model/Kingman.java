package io.github.rhosweep.model;

/** Kingman 1961: W = rho/(1-rho) (c_a^2+c_s^2)/2: exact for M/G/1 and as rho goes to 1, too high for regular arrivals. */
final class Kingman extends GeneralArrivals {
    Kingman() {
        super(new Card(
                "kingman",
                "W = rho/(1-rho) (c_a^2+c_s^2)/2",
                "rho, c_a^2, c_s^2, b, tau",
                "Kingman 1961, heavy-traffic approximation",
                "an approximation, best near rho = 1; none from rho = 1, for one volley, and where c_a^2 is unknown"));
    }

    @Override
    double meanWait(double rho, double arrivalScv, double serviceScv) {
        return rho / (1 - rho) * (arrivalScv + serviceScv) / 2;
    }
}
