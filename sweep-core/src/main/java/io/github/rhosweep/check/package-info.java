/** Honesty: the self-check, which proves an installed simulator against theory, and claims, which are put to the test as data. */
@NullMarked
package io.github.rhosweep.check;

import org.jspecify.annotations.NullMarked;
