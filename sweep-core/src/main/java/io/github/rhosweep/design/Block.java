package io.github.rhosweep.design;

import io.github.rhosweep.scenario.InvalidValueException;
import io.github.rhosweep.scenario.Params;
import io.github.rhosweep.scenario.Position;
import io.github.rhosweep.scenario.Problems;
import io.github.rhosweep.scenario.ScenarioTree;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * One product of axes over a base, less the points that {@code where} removes. Points are decoded from their index and never held.
 *
 * <p>{@code where} splits at its top-level {@code and}s into tests that each read few axes. Axes that share a test form one
 * {@link Factor} with the list of its combinations that are kept; every other axis is a factor of its own. The block is the full
 * product of its factors, so that indices stay dense (a shard of so many indices is so many points), the number of points is a
 * product of sizes, and the tables are as large as the axes that {@code where} names, not as the block. The price is that the
 * order of points depends on which axes {@code where} names; nothing else does.
 */
public final class Block {
    /** Combinations of axes that a test, a rule or a table may span. */
    static final int MAX_COMBINATIONS = 2_000_000;

    private static final int FREE = -1;

    private final String name;
    private final ScenarioTree base;
    private final List<Axis> axes;
    private final @Nullable String where;
    private final @Nullable Sampling sampling;
    private final Position position;
    private final Map<String, Slot> slots;
    private final List<Factor> factors;
    private final long size;

    /** Where a swept parameter's value is found: which axis, and which of its linked parameters. */
    private record Slot(int axis, int parameter) {}

    /**
     * Bounds what {@code where} keeps.
     *
     * @param problems what is wrong with {@code where}, or a block of no points or too many, is noted there; the block is then of
     *     no use
     */
    static Block of(
            String name,
            ScenarioTree base,
            List<Axis> axes,
            @Nullable Where where,
            @Nullable Sampling sampling,
            Position position,
            Problems problems) {
        Block whole = new Block(
                name,
                base,
                axes,
                null,
                sampling,
                position,
                sampling == null ? unlinked(axes) : List.of(new SampledFactor(axes.size(), sampling.points(), null)));
        for (Axis axis : axes) {
            // Checked before anything multiplies: more than 2^63 indices cannot be counted.
            if (whole.size < 0) {
                problems.add(axis.position(), axis.name(), "the axes have more than 2^63 points together");
                return whole;
            }
        }
        if (sampling != null) {
            return sampled(whole, sampling, where, problems);
        }
        if (where == null) {
            return whole;
        }
        List<Factor> factors = new WhereTables(whole, where, problems).factors();
        return new Block(name, base, axes, where.text(), null, position, factors);
    }

    /** Leaves out what {@code where} removes and what repeats an earlier point, as points of few choices may. */
    private static Block sampled(Block whole, Sampling sampling, @Nullable Where where, Problems problems) {
        List<SampledValues> values = new ArrayList<>();
        whole.axes.forEach(axis -> values.add((SampledValues) axis.values()));
        boolean distinct = values.stream().anyMatch(SampledValues::distinct);
        if (where == null && distinct) {
            return whole;
        }
        if (sampling.points() > MAX_COMBINATIONS) {
            problems.add(
                    whole.position,
                    "design",
                    "found " + sampling.points() + " points, expected at most " + MAX_COMBINATIONS
                            + (where != null ? " with `where`" : " where axes have few values each"));
            return whole;
        }
        double choices = values.stream().mapToDouble(SampledValues::choices).reduce(1, (a, b) -> a * b);
        if (choices < sampling.points()) {
            problems.add(
                    whole.position,
                    "design",
                    "found " + sampling.points() + " points, but the axes have only "
                            + String.format(java.util.Locale.ROOT, "%.0f", choices)
                            + " combinations. Maybe leave `design` out");
            return whole;
        }
        Map<List<Object>, Integer> seen = new HashMap<>();
        int[] kept = new int[sampling.points()];
        int n = 0;
        try {
            Where.Test test = where == null ? params -> true : where.whole();
            int[] digits = whole.free();
            Params params = whole.params(digits);
            for (int point = 0; point < kept.length; point++) {
                Arrays.fill(digits, point);
                if (test.holds(params) && (distinct || seen.putIfAbsent(whole.valuesAt(point), point) == null)) {
                    kept[n++] = point;
                }
            }
        } catch (InvalidValueException bad) {
            problems.add(where == null ? whole.position : where.position(), "where", String.valueOf(bad.getMessage()));
            return whole;
        }
        if (n == 0) {
            problems.add(whole.position, "where", "removes every point");
        }
        return new Block(
                whole.name,
                whole.base,
                whole.axes,
                where == null ? null : where.text(),
                sampling,
                whole.position,
                List.of(new SampledFactor(whole.axes.size(), n, Arrays.copyOf(kept, n))));
    }

    private List<Object> valuesAt(int point) {
        List<Object> values = new ArrayList<>();
        for (Axis axis : axes) {
            axis.values().get(point).forEach(setting -> values.add(setting.canonical()));
        }
        return values;
    }

    private Block(
            String name,
            ScenarioTree base,
            List<Axis> axes,
            @Nullable String where,
            @Nullable Sampling sampling,
            Position position,
            List<Factor> factors) {
        this.sampling = sampling;
        this.name = name;
        this.base = base;
        this.axes = List.copyOf(axes);
        this.where = where;
        this.position = position;
        this.factors = factors;
        this.slots = new HashMap<>();
        for (int a = 0; a < axes.size(); a++) {
            for (int p = 0; p < axes.get(a).parameters().size(); p++) {
                slots.put(axes.get(a).parameters().get(p).path(), new Slot(a, p));
            }
        }
        this.size = product(factors.stream().mapToLong(Factor::size).toArray());
    }

    /** The same under another name. */
    Block named(String other) {
        return new Block(other, base, axes, where, sampling, position, factors);
    }

    /** The name given to it, or its number. */
    public String name() {
        return name;
    }

    /** What all its points share: presets, base and options, merged. */
    public ScenarioTree base() {
        return base;
    }

    /** In the order written. */
    public List<Axis> axes() {
        return axes;
    }

    /** The condition on points, or null. */
    public @Nullable String where() {
        return where;
    }

    /** How its points are spread; null: it is the product of its axes. */
    public @Nullable Sampling sampling() {
        return sampling;
    }

    /** Where it is written. */
    public Position position() {
        return position;
    }

    /** Points that {@code where} keeps. */
    public long size() {
        return size;
    }

    /** The axis that a parameter is on, or -1. */
    int axisOf(String path) {
        Slot slot = slots.get(path);
        return slot == null ? -1 : slot.axis();
    }

    /** The value of each axis at an index: mixed radix, the last factor fastest. */
    int[] digits(long index) {
        int[] digits = new int[axes.size()];
        long left = index;
        for (int f = factors.size() - 1; f >= 0; f--) {
            Factor factor = factors.get(f);
            factor.decode((int) (left % factor.size()), digits);
            left /= factor.size();
        }
        return digits;
    }

    /** The index of digits, or -1 if {@code where} removes them. */
    long index(int[] digits) {
        long index = 0;
        for (Factor factor : factors) {
            int rank = factor.rank(digits);
            if (rank < 0) {
                return -1;
            }
            index = index * factor.size() + rank;
        }
        return index;
    }

    /** The parameters at the given values of the axes. */
    Params params(int[] digits) {
        return new Params(path -> given(path, digits));
    }

    /** Parameters of which some axes are still open: reading one of those throws {@link OpenAxis}. */
    private @Nullable Object given(String path, int[] digits) {
        Slot slot = slots.get(path);
        if (slot == null) {
            ScenarioTree.Setting setting = base.settings().get(path);
            return setting == null ? null : setting.value();
        }
        int digit = digits[slot.axis()];
        if (digit == FREE) {
            throw new OpenAxis(slot.axis());
        }
        return axes.get(slot.axis()).values().get(digit).get(slot.parameter()).value();
    }

    /** Points with the given values on the axes that have one; the others (-1) are free. */
    long count(int[] digits) {
        long count = 1;
        for (Factor factor : factors) {
            count *= factor.count(digits);
        }
        return count;
    }

    /** No axis assigned. */
    int[] free() {
        int[] digits = new int[axes.size()];
        Arrays.fill(digits, FREE);
        return digits;
    }

    /** The assigned axes as text: {@code traffic.flows = 32, switch.port_count = 8}. */
    String describe(int[] digits) {
        List<String> parts = new ArrayList<>();
        for (int a = 0; a < digits.length; a++) {
            if (digits[a] != FREE) {
                Axis axis = axes.get(a);
                parts.add(axis.linked() ? axis.text(digits[a]) : axis.name() + " = " + axis.text(digits[a]));
            }
        }
        return String.join(", ", parts);
    }

    /** A question read an axis without a value. Carries no stack: it steers {@link #explore}. */
    private static final class OpenAxis extends RuntimeException {
        private static final long serialVersionUID = 1L;
        private final int axis;

        OpenAxis(int axis) {
            super("axis " + axis, null, false, false);
            this.axis = axis;
        }
    }

    /** Asked of a point. */
    @FunctionalInterface
    interface Question<T> {
        T answer(Params params);
    }

    /** Told of a part of the block in which a question has one answer. */
    @FunctionalInterface
    interface Leaf<T> {
        /**
         * @param digits the axes that the answer depends on there, -1 for the others; reused by the caller
         * @param points in that part, never 0
         */
        void at(int[] digits, T answer, long points);
    }

    /** A question depends on more combinations of axes than may be enumerated. */
    static final class TooManyCombinations extends RuntimeException {
        private static final long serialVersionUID = 1L;

        TooManyCombinations(String axes) {
            super(axes);
        }
    }

    /**
     * Answers a question for all points without visiting them: it is asked with every axis open; where it reads an open axis, it is
     * asked again with each of that axis's values in turn. So only combinations of axes that matter to the answer are enumerated,
     * and each leaf names exactly the values that decide it.
     *
     * @throws TooManyCombinations beyond {@link #MAX_COMBINATIONS} leaves; the message names the axes
     */
    <T> void explore(Question<T> question, Leaf<T> leaf) {
        explore(question, MAX_COMBINATIONS, leaf);
    }

    /** The same with a limit of one's own. */
    <T> void explore(Question<T> question, int maxCombinations, Leaf<T> leaf) {
        new Exploration<>(question, maxCombinations, leaf).visit();
    }

    private final class Exploration<T> {
        private final Question<T> question;
        private final int maxCombinations;
        private final Leaf<T> leaf;
        private final int[] digits = free();
        private final Params params = params(digits);
        private final BitSet read = new BitSet();
        private long leaves;

        Exploration(Question<T> question, int maxCombinations, Leaf<T> leaf) {
            this.question = question;
            this.maxCombinations = maxCombinations;
            this.leaf = leaf;
        }

        /** One coordinate of a sampled point is all of them. */
        private void visitPoints() {
            Factor all = factors.get(0);
            for (int rank = 0; rank < all.size(); rank++) {
                all.decode(rank, digits);
                visit();
            }
            Arrays.fill(digits, FREE);
        }

        void visit() {
            long points = count(digits);
            if (points == 0) {
                return;
            }
            T answer;
            try {
                answer = question.answer(params);
            } catch (OpenAxis open) {
                read.set(open.axis);
                if (sampling != null) {
                    visitPoints();
                    return;
                }
                for (int value = 0; value < axes.get(open.axis).size(); value++) {
                    digits[open.axis] = value;
                    visit();
                }
                digits[open.axis] = FREE;
                return;
            }
            if (++leaves > maxCombinations) {
                throw new TooManyCombinations(
                        read.stream().mapToObj(a -> axes.get(a).name()).collect(Collectors.joining(", ")));
            }
            leaf.at(digits, answer, points);
        }
    }

    private static List<Factor> unlinked(List<Axis> axes) {
        List<Factor> factors = new ArrayList<>();
        for (int a = 0; a < axes.size(); a++) {
            factors.add(new Factor(new int[] {a}, new int[] {axes.get(a).size()}, null));
        }
        return factors;
    }

    /** The product, or -1 beyond 2^63. */
    private static long product(long[] sizes) {
        if (Arrays.stream(sizes).anyMatch(s -> s == 0)) {
            return 0;
        }
        try {
            return Arrays.stream(sizes).reduce(1, Math::multiplyExact);
        } catch (ArithmeticException overflow) {
            return -1;
        }
    }

    /** Some axes of the product, with the list of combinations kept (null: all), as indices of their own full product. */
    private static class Factor {
        private final int[] axes;
        private final int[] sizes;
        private final int @Nullable [] kept;
        private final int size;
        /** Per set of assigned axes: for each of their combinations, how many kept ones have it. */
        private final Map<Long, int[]> counts = new ConcurrentHashMap<>();

        Factor(int[] axes, int[] sizes, int @Nullable [] kept) {
            this.axes = axes;
            this.sizes = sizes;
            this.kept = kept;
            this.size = kept == null ? sizes[0] : kept.length;
        }

        int size() {
            return size;
        }

        void decode(int rank, int[] digits) {
            decodeFull(kept == null ? rank : kept[rank], digits);
        }

        private void decodeFull(int combination, int[] digits) {
            int left = combination;
            for (int i = axes.length - 1; i >= 0; i--) {
                digits[axes[i]] = left % sizes[i];
                left /= sizes[i];
            }
        }

        int rank(int[] digits) {
            int combination = 0;
            for (int i = 0; i < axes.length; i++) {
                combination = combination * sizes[i] + digits[axes[i]];
            }
            return kept == null ? combination : Math.max(-1, Arrays.binarySearch(kept, combination));
        }

        long count(int[] digits) {
            long assigned = 0;
            int combination = 0;
            for (int i = 0; i < axes.length; i++) {
                int digit = digits[axes[i]];
                if (digit != FREE) {
                    assigned |= 1L << i;
                    combination = combination * sizes[i] + digit;
                }
            }
            if (assigned == 0) {
                return size;
            }
            if (kept == null) {
                return 1; // one axis, and it is assigned
            }
            return counts.computeIfAbsent(assigned, mask -> histogram(mask, kept))[combination];
        }

        private int[] histogram(long assigned, int[] keptCombinations) {
            int cells = 1;
            for (int i = 0; i < axes.length; i++) {
                cells *= (assigned >> i & 1) == 1 ? sizes[i] : 1;
            }
            int[] histogram = new int[cells];
            for (int combination : keptCombinations) {
                int left = combination;
                int cell = 0;
                int weight = 1;
                for (int i = axes.length - 1; i >= 0; i--) {
                    if ((assigned >> i & 1) == 1) {
                        cell += left % sizes[i] * weight;
                        weight *= sizes[i];
                    }
                    left /= sizes[i];
                }
                histogram[cell]++;
            }
            return histogram;
        }
    }

    /** All axes of a sampled block: the digit of each is the number of the point. */
    private static final class SampledFactor extends Factor {
        private final int @Nullable [] kept;

        SampledFactor(int axes, int size, int @Nullable [] kept) {
            super(java.util.stream.IntStream.range(0, axes).toArray(), new int[] {size}, kept);
            this.kept = kept;
        }

        @Override
        void decode(int rank, int[] digits) {
            Arrays.fill(digits, kept == null ? rank : kept[rank]);
        }

        @Override
        int rank(int[] digits) {
            int point = digits[0];
            for (int digit : digits) {
                if (digit != point) {
                    return -1;
                }
            }
            return kept == null ? point : Math.max(-1, Arrays.binarySearch(kept, point));
        }

        @Override
        long count(int[] digits) {
            return digits[0] == FREE ? size() : 1;
        }
    }

    /** Finds which axes each test of {@code where} reads, joins those that share a test, and lists what is kept. */
    private static final class WhereTables {
        private final Block block;
        private final Where where;
        private final Problems problems;

        WhereTables(Block block, Where where, Problems problems) {
            this.block = block;
            this.where = where;
            this.problems = problems;
        }

        List<Factor> factors() {
            try {
                List<Where.Test> tests = where.tests();
                List<BitSet> reads = new ArrayList<>();
                try {
                    for (Where.Test test : tests) {
                        reads.add(axesRead(test));
                    }
                } catch (InvalidValueException oneAlone) {
                    // A test may hold only where those before it do: `traffic.arrivals != once and traffic.load < 0.9`.
                    tests = List.of(where.whole());
                    reads = List.of(axesRead(where.whole()));
                }
                return tables(tests, reads);
            } catch (TooManyCombinations tooMany) {
                problems.add(
                        where.position(),
                        "where",
                        "spans more than " + MAX_COMBINATIONS + " combinations of the axes " + tooMany.getMessage());
            } catch (InvalidValueException bad) {
                problems.add(where.position(), "where", String.valueOf(bad.getMessage()));
            }
            return unlinked(block.axes);
        }

        private BitSet axesRead(Where.Test test) {
            BitSet read = new BitSet();
            block.explore(params -> test.holds(params), (digits, holds, points) -> {
                for (int a = 0; a < digits.length; a++) {
                    if (digits[a] != FREE) {
                        read.set(a);
                    }
                }
            });
            return read;
        }

        private List<Factor> tables(List<Where.Test> tests, List<BitSet> reads) {
            List<BitSet> groups = new ArrayList<>();
            for (BitSet read : reads) {
                BitSet joined = (BitSet) read.clone();
                groups.removeIf(group -> {
                    boolean meets = group.intersects(joined);
                    if (meets) {
                        joined.or(group);
                    }
                    return meets;
                });
                groups.add(joined);
            }
            Map<Integer, Factor> byFirstAxis = new java.util.TreeMap<>();
            BitSet covered = new BitSet();
            for (BitSet group : groups) {
                List<Where.Test> own = new ArrayList<>();
                for (int t = 0; t < tests.size(); t++) {
                    if (reads.get(t).intersects(group) || reads.get(t).isEmpty() && group.isEmpty()) {
                        own.add(tests.get(t));
                    }
                }
                if (group.isEmpty()) {
                    if (!own.stream().allMatch(test -> test.holds(block.params(block.free())))) {
                        problems.add(where.position(), "where", "removes every point");
                    }
                } else {
                    byFirstAxis.put(group.nextSetBit(0), table(group, own));
                    covered.or(group);
                }
            }
            for (int a = 0; a < block.axes.size(); a++) {
                if (!covered.get(a)) {
                    byFirstAxis.put(
                            a,
                            new Factor(
                                    new int[] {a}, new int[] {block.axes.get(a).size()}, null));
                }
            }
            return List.copyOf(byFirstAxis.values());
        }

        private Factor table(BitSet group, List<Where.Test> tests) {
            int[] axes = group.stream().toArray();
            int[] sizes = Arrays.stream(axes).map(a -> block.axes.get(a).size()).toArray();
            long combinations = product(Arrays.stream(sizes).asLongStream().toArray());
            if (combinations < 0 || combinations > MAX_COMBINATIONS) {
                throw new TooManyCombinations(
                        group.stream().mapToObj(a -> block.axes.get(a).name()).collect(Collectors.joining(", ")));
            }
            Factor full = new Factor(axes, sizes, null);
            int[] digits = block.free();
            Params params = block.params(digits);
            int[] kept = new int[(int) combinations];
            int n = 0;
            for (int combination = 0; combination < combinations; combination++) {
                full.decodeFull(combination, digits);
                boolean holds = true;
                for (Where.Test test : tests) {
                    holds = holds && test.holds(params);
                }
                if (holds) {
                    kept[n++] = combination;
                }
            }
            if (n == 0) {
                problems.add(where.position(), "where", "removes every point");
            }
            return new Factor(axes, sizes, Arrays.copyOf(kept, n));
        }
    }
}
