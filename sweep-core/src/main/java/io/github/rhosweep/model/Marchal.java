package io.github.rhosweep.model;

/** Marchal 1976: exact for M/G/1 and as rho goes to 1. With constant service it is Kingman's formula. */
final class Marchal extends GeneralArrivals {
    Marchal() {
        super(new Card(
                "marchal",
                "W = rho(1+c_s^2)(c_a^2+rho^2 c_s^2)/(2(1-rho)(1+rho^2 c_s^2))",
                "rho, c_a^2, c_s^2, b, tau",
                "Marchal 1976, AIIE Transactions 8(4), 473-478",
                "an approximation, best near rho = 1; none from rho = 1, for one volley, and where c_a^2 is unknown"));
    }

    @Override
    double meanWait(double rho, double arrivalScv, double serviceScv) {
        double s = rho * rho * serviceScv;
        return rho * (1 + serviceScv) * (arrivalScv + s) / (2 * (1 - rho) * (1 + s));
    }
}
