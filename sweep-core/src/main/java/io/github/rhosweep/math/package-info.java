/** Numbers without a domain: random streams, histograms, batch means, least squares. */
@NullMarked
package io.github.rhosweep.math;

import org.jspecify.annotations.NullMarked;
