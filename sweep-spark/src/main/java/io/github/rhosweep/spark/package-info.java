/** Fans a sweep out over Spark: shards, resume, budget, merge, verify, data to fit; its progress. */
@NullMarked
package io.github.rhosweep.spark;

import org.jspecify.annotations.NullMarked;
