package io.github.rhosweep.report;

import java.util.List;

/**
 * One line of a plot.
 *
 * @param name for the legend
 * @param points in the order of x
 */
public record Curve(String name, List<Point> points) {
    /**
     * One point of a line.
     *
     * @param halfWidth of the interval around y; 0 where none is known
     */
    public record Point(double x, double y, double halfWidth) {}
}
