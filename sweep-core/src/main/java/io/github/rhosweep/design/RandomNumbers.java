package io.github.rhosweep.design;

/** How points share random numbers. */
public enum RandomNumbers {
    /** Points that differ in anything but traffic, and points along the load axis, meet the same draws. */
    COMMON,
    /** Every run draws its own. */
    INDEPENDENT
}
