package io.github.rhosweep.design;

import io.github.rhosweep.scenario.Parameter;
import io.github.rhosweep.scenario.Parameters;
import io.github.rhosweep.scenario.Params;
import io.github.rhosweep.scenario.Scenario;
import io.github.rhosweep.scenario.ScenarioTree;
import io.github.rhosweep.scenario.ScenarioTree.Setting;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Points that an experiment names twice: in two blocks, or, within one, under {@code auto} and under the value that auto comes to.
 * Found by looking each candidate up in the blocks before it, key by key, and never by a table of all points.
 */
final class Repeats {
    private static final int MAX_VALUES_COMPARED = 100_000;
    private static final String AUTO = "auto";

    private final List<Block> blocks;
    private final RandomNumbers randomNumbers;
    private final List<Lookup> lookups;
    private final long[] firstIndex;
    private long count = -1;

    Repeats(List<Block> blocks, RandomNumbers randomNumbers) {
        this.blocks = blocks;
        this.randomNumbers = randomNumbers;
        this.lookups = blocks.stream().map(Lookup::new).toList();
        this.firstIndex = new long[blocks.size()];
        for (int b = 1; b < firstIndex.length; b++) {
            firstIndex[b] = firstIndex[b - 1] + blocks.get(b - 1).size();
        }
    }

    boolean isRepeated(DesignPoint point) {
        if (blocks.size() == 1 && !lookups.get(0).ambiguous()) {
            return false;
        }
        SortedMap<String, String> texts = Scenario.canonical(point.params(), Parameter::inKey);
        for (int b = 0; b < blocks.size(); b++) {
            Block block = blocks.get(b);
            if (block == point.block() && !lookups.get(b).ambiguous()) {
                return false;
            }
            long found = lookups.get(b).firstIndex(texts, point.key(), randomNumbers);
            if (found >= 0 && firstIndex[b] + found < point.index()) {
                return true;
            }
            if (block == point.block()) {
                return false;
            }
        }
        throw new IllegalStateException("the point's block is none of the experiment's");
    }

    /** How many indices repeat a point; found when first asked. */
    synchronized long count() {
        if (count < 0) {
            long[] found = new long[1];
            visit(params -> found[0]++);
            count = found[0];
        }
        return count;
    }

    /**
     * Visits the parameters of every index that repeats a point.
     *
     * @throws Block.TooManyCombinations if two blocks may share too many points to compare them
     */
    void visit(Consumer<Params> repeated) {
        for (int later = 0; later < blocks.size(); later++) {
            if (blocks.get(later).sampling() != null) {
                visitSampled(later, repeated);
                continue;
            }
            List<List<Set<Integer>>> shared = new ArrayList<>();
            for (int earlier = 0; earlier <= later; earlier++) {
                if (earlier < later || lookups.get(later).ambiguous()) {
                    List<Set<Integer>> digits = sharedDigits(later, earlier);
                    if (digits != null) {
                        shared.add(digits);
                    }
                }
            }
            visitShared(later, shared, repeated);
        }
    }

    /** Points of a sampled block have no axes to compare: each is looked up. */
    private void visitSampled(int later, Consumer<Params> repeated) {
        Block block = blocks.get(later);
        if (later > 0 && block.size() > Block.MAX_COMBINATIONS) {
            throw new Block.TooManyCombinations(block.name());
        }
        for (long index = 0; later > 0 && index < block.size(); index++) {
            Params params = block.params(block.digits(index));
            if (firstWith(later, params) < firstIndex[later] + index) {
                repeated.accept(params);
            }
        }
    }

    private void visitShared(int later, List<List<Set<Integer>>> shared, Consumer<Params> repeated) {
        Block block = blocks.get(later);
        Set<Long> seen = new HashSet<>();
        for (List<Set<Integer>> allowed : shared) {
            long combinations = 1;
            for (Set<Integer> digits : allowed) {
                combinations = Math.min(combinations * digits.size(), Block.MAX_COMBINATIONS + 1L);
            }
            if (combinations > Block.MAX_COMBINATIONS) {
                throw new Block.TooManyCombinations(block.name());
            }
            visitDigits(block, allowed, 0, new int[allowed.size()], digits -> {
                long index = block.index(digits);
                if (index >= 0 && seen.add(index)) {
                    Params params = block.params(digits);
                    if (firstWith(later, params) < firstIndex[later] + index) {
                        repeated.accept(params);
                    }
                }
            });
        }
    }

    private long firstWith(int upTo, Params params) {
        SortedMap<String, String> texts = Scenario.canonical(params, Parameter::inKey);
        String key = Identity.pointKey(params, randomNumbers);
        for (int b = 0; b <= upTo; b++) {
            long found = lookups.get(b).firstIndex(texts, key, randomNumbers);
            if (found >= 0) {
                return firstIndex[b] + found;
            }
        }
        throw new IllegalStateException("a point is missing from its own block");
    }

    private static void visitDigits(
            Block block, List<Set<Integer>> allowed, int axis, int[] digits, Consumer<int[]> visitor) {
        if (axis == digits.length) {
            visitor.accept(digits);
            return;
        }
        for (int digit : allowed.get(axis)) {
            digits[axis] = digit;
            visitDigits(block, allowed, axis + 1, digits, visitor);
        }
    }

    /** For each axis of the later block, the values that the earlier one may have too; null if the two share no point. */
    private @Nullable List<Set<Integer>> sharedDigits(int later, int earlier) {
        Block block = blocks.get(later);
        for (Parameter<?> parameter : Parameters.all()) {
            if (parameter.inKey()) {
                Set<String> mine = lookups.get(later).values(parameter);
                Set<String> theirs = lookups.get(earlier).values(parameter);
                if (!mine.isEmpty() && !theirs.isEmpty() && mine.stream().noneMatch(theirs::contains)) {
                    return null;
                }
            }
        }
        List<Set<Integer>> allowed = new ArrayList<>();
        for (Axis axis : block.axes()) {
            Set<Integer> digits = new java.util.TreeSet<>();
            for (int d = 0; d < axis.size(); d++) {
                boolean possible = true;
                for (Setting setting : axis.values().get(d)) {
                    Set<String> theirs = lookups.get(earlier).values(setting.parameter());
                    String text = setting.canonical();
                    possible &= theirs.isEmpty() || text.equals(AUTO) || theirs.contains(text);
                }
                if (possible) {
                    digits.add(d);
                }
            }
            if (digits.isEmpty()) {
                return null;
            }
            allowed.add(digits);
        }
        return allowed;
    }

    /** Finds points in one block by their canonical texts. */
    private static final class Lookup {
        private final Block block;
        private boolean made;
        private boolean ambiguous;
        /** Per axis, from the canonical texts of its parameters to the digit. */
        private final List<Map<List<String>, Integer>> exact = new ArrayList<>();
        /** Per axis, the digits with an `auto` among them: what they come to depends on the point. */
        private final List<List<Integer>> open = new ArrayList<>();

        /** Of a sampled block, from the canonical texts of all axes to the index. */
        private final Map<List<List<String>>, Long> sampled = new HashMap<>();

        private final Map<String, Set<String>> values = new HashMap<>();

        Lookup(Block block) {
            this.block = block;
        }

        /** Only where points are looked up: an axis of a sampled block has as many values as there are points. */
        private synchronized void make() {
            if (made) {
                return;
            }
            made = true;
            if (block.sampling() != null) {
                makeSampled();
                return;
            }
            boolean mixed = false;
            for (Axis axis : block.axes()) {
                Map<List<String>, Integer> digits = new HashMap<>();
                List<Integer> autos = new ArrayList<>();
                for (int d = 0; d < axis.size(); d++) {
                    List<String> texts = axis.values().get(d).stream()
                            .map(Setting::canonical)
                            .toList();
                    if (axis.values().get(d).stream().anyMatch(s -> s.value() == Params.AUTO)) {
                        autos.add(d);
                    } else {
                        digits.put(texts, d);
                    }
                }
                exact.add(digits);
                open.add(autos);
                mixed |= !autos.isEmpty() && axis.size() > 1;
            }
            this.ambiguous = mixed;
        }

        private void makeSampled() {
            if (block.size() > Block.MAX_COMBINATIONS) {
                throw new Block.TooManyCombinations(block.name());
            }
            for (long index = 0; index < block.size(); index++) {
                int[] digits = block.digits(index);
                List<List<String>> texts = new ArrayList<>();
                for (int a = 0; a < digits.length; a++) {
                    texts.add(block.axes().get(a).values().get(digits[a]).stream()
                            .map(Setting::canonical)
                            .toList());
                }
                sampled.put(texts, index);
            }
        }

        /** Whether two indices of the block may be one point. */
        boolean ambiguous() {
            if (block.sampling() != null) {
                return false;
            }
            make();
            return ambiguous;
        }

        /** The index of the first point with these texts and key, or -1. */
        long firstIndex(SortedMap<String, String> texts, String key, RandomNumbers randomNumbers) {
            make();
            for (Setting setting : block.base().settings().values()) {
                if (setting.parameter().inKey()
                        && setting.value() != Params.AUTO
                        && !setting.canonical()
                                .equals(texts.get(setting.parameter().path()))) {
                    return -1;
                }
            }
            List<List<String>> all = new ArrayList<>();
            for (Axis axis : block.axes()) {
                all.add(axis.parameters().stream()
                        .map(parameter -> String.valueOf(texts.get(parameter.path())))
                        .toList());
            }
            if (block.sampling() != null) {
                long index = sampled.getOrDefault(all, -1L);
                boolean same = index >= 0
                        && Identity.pointKey(block.params(block.digits(index)), randomNumbers)
                                .equals(key);
                return same ? index : -1;
            }
            List<Set<Integer>> candidates = new ArrayList<>();
            for (int a = 0; a < block.axes().size(); a++) {
                List<String> wanted = all.get(a);
                Set<Integer> digits = new java.util.TreeSet<>(open.get(a));
                Integer digit = exact.get(a).get(wanted);
                if (digit != null) {
                    digits.add(digit);
                }
                if (digits.isEmpty()) {
                    return -1;
                }
                candidates.add(digits);
            }
            long[] first = {-1};
            visitDigits(block, candidates, 0, new int[candidates.size()], digits -> {
                long index = block.index(digits);
                if (index >= 0
                        && (first[0] < 0 || index < first[0])
                        && Identity.pointKey(block.params(digits), randomNumbers)
                                .equals(key)) {
                    first[0] = index;
                }
            });
            return first[0];
        }

        /** The canonical texts that a parameter takes over the block; empty if they are too many to list. */
        Set<String> values(Parameter<?> parameter) {
            return values.computeIfAbsent(parameter.path(), path -> {
                Set<String> found = new HashSet<>();
                try {
                    block.explore(params -> text(params, parameter), (digits, text, points) -> {
                        found.add(text);
                        if (found.size() > MAX_VALUES_COMPARED) {
                            throw new Block.TooManyCombinations(path);
                        }
                    });
                } catch (Block.TooManyCombinations many) {
                    return Set.of();
                }
                return found;
            });
        }

        private static <T> String text(Params params, Parameter<T> parameter) {
            T value = params.find(parameter);
            return value == null ? "" : ScenarioTree.canonical(parameter, value);
        }
    }
}
