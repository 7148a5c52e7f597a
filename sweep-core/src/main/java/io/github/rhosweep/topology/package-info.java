/** Graphs and routes as closed forms: which serialisers lie between two hosts, and how long an idle fabric takes. */
@NullMarked
package io.github.rhosweep.topology;

import org.jspecify.annotations.NullMarked;
