package io.github.rhosweep.model;

/** Kraemer and Langenbach-Belz 1976: Kingman times g, so that M/G/1 stays exact and regular arrivals wait less. */
final class Klb extends GeneralArrivals {
    Klb() {
        super(new Card(
                "klb",
                "Kingman x g; c_a^2<=1: g = exp(-2(1-rho)(1-c_a^2)^2/(3 rho (c_a^2+c_s^2)))"
                        + "; >1: g = exp(-(1-rho)(c_a^2-1)/(c_a^2+4c_s^2))",
                "rho, c_a^2, c_s^2, b, tau",
                "Kraemer and Langenbach-Belz 1976",
                "an approximation, best near rho = 1; none from rho = 1, for one volley, and where c_a^2 is unknown"));
    }

    @Override
    double meanWait(double rho, double arrivalScv, double serviceScv) {
        double scv = arrivalScv + serviceScv;
        if (scv == 0) {
            return 0; // D/D/1
        }
        double excess = arrivalScv - 1;
        double exponent = arrivalScv <= 1
                ? -2 * (1 - rho) * excess * excess / (3 * rho * scv)
                : -(1 - rho) * excess / (arrivalScv + 4 * serviceScv);
        return rho / (1 - rho) * scv / 2 * StrictMath.exp(exponent);
    }
}
