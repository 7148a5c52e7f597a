/** Rows on disk: the results folder, its Parquet files, manifest and lock. The one package that knows Parquet and Hadoop. */
@NullMarked
package io.github.rhosweep.store;

import org.jspecify.annotations.NullMarked;
