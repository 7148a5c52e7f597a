/** Inputs made wrong at random, and random scenarios: nothing that is read or run may break the program. */
@NullMarked
package io.github.rhosweep.fuzz;

import org.jspecify.annotations.NullMarked;
