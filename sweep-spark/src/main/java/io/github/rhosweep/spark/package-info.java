/** Fans a sweep out over Spark, resumes it, shows its progress, and holds the command line. */
@NullMarked
package io.github.rhosweep.spark;

import org.jspecify.annotations.NullMarked;
