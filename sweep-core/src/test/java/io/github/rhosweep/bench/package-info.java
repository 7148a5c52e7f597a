/** JMH benchmarks; {@code scripts/bench} runs them. */
package io.github.rhosweep.bench;
