/**
 * Closed forms: what queueing theory and rules of thumb predict for a point before it runs. One class a model, all in
 * {@link io.github.rhosweep.model.Models}; none sees the simulator.
 */
@NullMarked
package io.github.rhosweep.model;

import org.jspecify.annotations.NullMarked;
