/** Numbers without a domain: random streams, exact moments, histograms, what a run says of its steady state. */
@NullMarked
package io.github.rhosweep.math;

import org.jspecify.annotations.NullMarked;
