package io.github.rhosweep.design;

import io.github.rhosweep.math.KeyedPermutation;
import io.github.rhosweep.math.RandomStream;
import io.github.rhosweep.scenario.InvalidValueException;
import io.github.rhosweep.scenario.Parameter;
import org.apache.commons.math3.random.SobolSequenceGenerator;

/**
 * Points spread over ranges instead of a product of values. Coordinates are computed from a point's number, so that nothing is held
 * however many there are; the first points of {@code sobol} and {@code random} stay what they are when more are asked for.
 *
 * @param kind how they are spread
 * @param points how many
 * @param seed another seed, other points; {@code sobol} has none
 */
public record Sampling(Kind kind, int points, long seed) {
    /** How points are spread. */
    public enum Kind {
        /** McKay, Beckman, Conover 1979: on each axis one point in each of as many equal strata. */
        LATIN_HYPERCUBE,
        /** Sobol 1967 with the directions of Joe and Kuo 2008, as commons-math3 has them; begins at the corner of all {@code from}. */
        SOBOL,
        /** Independent, without repetition on an axis. */
        RANDOM
    }

    /** Cells of an axis of {@code sobol} and {@code random}, and so the most points of any kind. */
    static final int MOST_POINTS = 1 << 27;

    private static final int SOBOL_BITS = 27;

    /** Places within a stratum of a Latin hypercube. */
    private static final int PLACES = 256;

    /** Coordinates of all points on one axis. */
    @FunctionalInterface
    interface Coordinates {
        /** @return in [0, 1) */
        double at(int point);
    }

    /**
     * The coordinates on an axis.
     *
     * @param axis its name: an axis keeps its coordinates whatever the others are
     * @param dimension its number, from 0
     * @throws InvalidValueException beyond the dimensions of the Sobol sequence
     */
    Coordinates coordinates(String axis, int dimension) {
        RandomStream stream = RandomStream.named(seed, Parameter.label(kind) + " " + axis, 0);
        return switch (kind) {
            case LATIN_HYPERCUBE -> {
                KeyedPermutation strata = new KeyedPermutation(stream.nextLong(), points);
                long places = stream.nextLong();
                yield point -> {
                    long place = RandomStream.mix(places + point) >>> 1 & PLACES - 1;
                    return (strata.at(point) + (place + 0.5) / PLACES) / points;
                };
            }
            case RANDOM -> {
                KeyedPermutation cells = new KeyedPermutation(stream.nextLong(), MOST_POINTS);
                yield point -> (cells.at(point) + 0.5) / MOST_POINTS;
            }
            case SOBOL -> {
                int[] directions = sobolDirections(dimension);
                yield point -> {
                    int x = 0;
                    for (int gray = point ^ point >>> 1; gray != 0; gray &= gray - 1) {
                        x ^= directions[Integer.numberOfTrailingZeros(gray)];
                    }
                    return (double) x / MOST_POINTS;
                };
            }
        };
    }

    /** Equal parts of an axis of which no two points share one, as far apart as coordinates of two points may be near. */
    double cells() {
        return kind == Kind.LATIN_HYPERCUBE ? (double) points * PLACES : MOST_POINTS;
    }

    /** The point of number 2^(k+1) - 1 has the Gray code 2^k, so that its coordinate is the k-th direction alone. */
    private static int[] sobolDirections(int dimension) {
        SobolSequenceGenerator generator;
        try {
            generator = new SobolSequenceGenerator(dimension + 1);
        } catch (org.apache.commons.math3.exception.OutOfRangeException beyond) {
            throw new InvalidValueException("found " + (dimension + 1) + " axes, expected at most " + beyond.getHi()
                    + ", the dimensions of the Sobol sequence. Maybe kind latin-hypercube");
        }
        int[] directions = new int[SOBOL_BITS];
        for (int k = 0; k < SOBOL_BITS; k++) {
            directions[k] = (int) (generator.skipTo((1 << k + 1) - 1)[dimension] * MOST_POINTS);
        }
        return directions;
    }
}
