/**
 * What one run is: every parameter with its default, unit, bounds and meaning, bound strictly into immutable records. A new
 * parameter is declared in its record here and nowhere else.
 */
@NullMarked
package io.github.rhosweep.scenario;

import org.jspecify.annotations.NullMarked;
