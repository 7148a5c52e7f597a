package io.github.rhosweep.math;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;

class SlicedSeriesTest {
    private record Sample(long offerPs, long value, long control) {}

    /** A run that ends up to 20 times later than planned, samples known in any order, against a list of all samples. */
    @Test
    void slicesAndGroups_equalThoseOfAListOfAllSamples() {
        Slicing slicing = new Slicing();
        SlicedSeries series = new SlicedSeries(slicing);
        SlicedSums sums = new SlicedSums(slicing);
        for (long seed = 1; seed <= 30; seed++) {
            Random random = new Random(seed);
            long planned = 1 + (long) (random.nextDouble() * 1e9);
            double actual = planned * Math.pow(20, random.nextDouble());
            slicing.reset(planned);
            series.reset();
            sums.reset();
            List<Sample> samples = new ArrayList<>();
            for (int i = 0; i < 2000; i++) {
                samples.add(new Sample(
                        (long) (random.nextDouble() * actual), random.nextInt(1_000_000), random.nextInt(1000)));
            }
            Collections.shuffle(samples, random);
            for (Sample s : samples) {
                series.record(s.offerPs, s.value, s.control);
                sums.add(s.offerPs, s.value);
            }

            long[] counts = new long[Slicing.SLICES];
            long[] values = new long[Slicing.SLICES];
            long[] controls = new long[Slicing.SLICES];
            for (Sample s : samples) {
                int slice = slicing.sliceOf(s.offerPs);
                counts[slice]++;
                values[slice] += s.value;
                controls[slice] += s.control;
            }
            assertThat(series.counts()).as("seed %d", seed).isEqualTo(counts);
            assertThat(series.sums()).as("seed %d", seed).isEqualTo(values);
            assertThat(series.controls()).as("seed %d", seed).isEqualTo(controls);

            for (int from = 0; from < Slicing.SLICES; from += SlicedSeries.GROUP) {
                int first = from;
                long[] rest = samples.stream()
                        .filter(s -> slicing.sliceOf(s.offerPs) >= first)
                        .mapToLong(Sample::value)
                        .sorted()
                        .toArray();
                Moments moments = series.momentsFrom(from);
                assertThat(moments.count()).as("seed %d from %d", seed, from).isEqualTo(rest.length);
                assertThat(moments.sum())
                        .isEqualTo(Arrays.stream(rest).sum())
                        .isEqualTo(sums.sum(from, Slicing.SLICES));
                double[] quantiles = series.quantilesFrom(from, 0.5, 1);
                if (rest.length == 0) {
                    assertThat(quantiles).isNull();
                } else {
                    long median = rest[(rest.length + 1) / 2 - 1];
                    long max = rest[rest.length - 1];
                    assertThat(moments.max()).isEqualTo(max);
                    assertThat(quantiles[0]).isCloseTo(median, Offset.offset(median / 1024.0));
                    assertThat(quantiles[1])
                            .isCloseTo(max, Offset.offset(max / 1024.0))
                            .isLessThanOrEqualTo(max);
                }
            }
        }
    }

    @Test
    void evenSamples_areThoseRecordedOneByOne() {
        Slicing slicing = new Slicing();
        slicing.reset(1000);
        SlicedSeries one = new SlicedSeries(slicing);
        SlicedSeries all = new SlicedSeries(slicing);
        one.reset();
        all.reset();
        Random random = new Random(5);
        for (int message = 0; message < 200; message++) {
            long offer = random.nextInt(1000);
            long first = random.nextInt(1_000_000) * (message % 3 == 0 ? 10_000L : 1);
            long step = random.nextInt(30_000);
            int count = random.nextInt(4);
            for (int i = 0; i < count; i++) {
                one.record(offer, first + i * step);
            }
            all.recordEvenly(offer, first, step, count);
        }
        assertThat(all.counts()).isEqualTo(one.counts());
        assertThat(all.sums()).isEqualTo(one.sums());
        assertThat(all.momentsFrom(16).variance()).isEqualTo(one.momentsFrom(16).variance());
        assertThat(all.momentsFrom(16).max()).isEqualTo(one.momentsFrom(16).max());
        assertThat(all.quantilesFrom(16, 0.1, 0.5, 1)).isEqualTo(one.quantilesFrom(16, 0.1, 0.5, 1));
    }

    @Test
    void aRunThatEndsAsPlanned_usesSevenEighthsOfTheSlices() {
        Slicing slicing = new Slicing();
        slicing.reset(1_000_000_007);
        assertThat(slicing.sliceOf(1_000_000_006)).isEqualTo(223);
        assertThat(slicing.sliceOf(1_142_000_000)).isEqualTo(255);
        assertThat(slicing.doublings()).isZero();
        assertThat(slicing.sliceOf(1_144_000_000)).isEqualTo(128);
        assertThat(slicing.doublings()).isEqualTo(1);
        assertThat(slicing.sliceOf(slicing.startPs(112))).isBetween(111, 112);
    }
}
