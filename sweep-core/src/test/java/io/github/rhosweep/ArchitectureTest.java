package io.github.rhosweep;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.fields;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import io.github.rhosweep.scenario.Parameter;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeSet;
import java.util.concurrent.ThreadLocalRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Which package may use which, and the rules that keep a run a function of its point alone. */
class ArchitectureTest {

    private static final String ROOT = "io.github.rhosweep.";

    /**
     * Package to the packages it may use; arrows are transitive. {@code kernel} and {@code model} never meet: a model
     * that could see the simulator would make its validation circular.
     */
    private static final Map<String, List<String>> ARROWS = Map.ofEntries(
            Map.entry("math", List.of()),
            Map.entry("scenario", List.of("math")),
            Map.entry("topology", List.of("scenario", "math")),
            Map.entry("result", List.of("scenario", "math")),
            Map.entry("kernel", List.of("topology", "result", "scenario", "math")),
            Map.entry("model", List.of("topology", "result", "scenario", "math")),
            Map.entry("design", List.of("scenario", "math")),
            Map.entry("store", List.of("result", "scenario")),
            Map.entry("run", List.of("design", "kernel", "model", "result", "scenario")),
            Map.entry("fit", List.of("model", "result", "math", "scenario")),
            Map.entry("check", List.of("run", "fit", "model", "kernel")),
            Map.entry("report", List.of("fit", "result")));

    /** Those beside a class of the program, wherever a build puts them: tests lie elsewhere. */
    private static final JavaClasses CLASSES = new ClassFileImporter()
            .importUrl(Parameter.class.getProtectionDomain().getCodeSource().getLocation());

    static Collection<String> packages() {
        return new TreeSet<>(ARROWS.keySet());
    }

    @ParameterizedTest
    @MethodSource("packages")
    void package_usesOnlyWhatItsArrowsAllow(String name) {
        Collection<String> allowed = reachableFrom(name);
        noClasses()
                .that(residesIn(name))
                .should()
                .dependOnClassesThat(DescribedPredicate.describe(
                        "lie outside " + allowed,
                        c -> c.getPackageName().startsWith(ROOT) && !allowed.contains(topPackage(c))))
                .allowEmptyShould(true)
                .check(CLASSES);
    }

    @Test
    void everyClass_liesInAPackageWithArrows() {
        assertThat(CLASSES)
                .as("classes of the core")
                .isNotEmpty()
                .allSatisfy(c -> assertThat(ARROWS).as(c.getName()).containsKey(topPackage(c)));
    }

    @Test
    void parquetAndHadoop_areKnownToStoreAlone() {
        noClasses()
                .that(DescribedPredicate.not(residesIn("store")))
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("org.apache.parquet..", "org.apache.hadoop..")
                .check(CLASSES);
    }

    /** So that nothing of it is loaded before a network is asked for. */
    @Test
    void onnxruntime_isKnownToOneClassAlone() {
        noClasses()
                .that(DescribedPredicate.not(JavaClass.Predicates.simpleName("GraphNetwork")))
                .should()
                .dependOnClassesThat()
                .resideInAPackage("ai.onnxruntime..")
                .check(CLASSES);
    }

    @Test
    void staticFields_areFinal() {
        fields().that().areStatic().should().beFinal().allowEmptyShould(true).check(CLASSES);
    }

    /** {@code run} is left out: it measures what a run costs. */
    @ParameterizedTest
    @ValueSource(strings = {"math", "scenario", "topology", "kernel", "model", "design"})
    void results_dependOnNoClockAndNoUnseededRandom(String name) {
        noClasses()
                .that(residesIn(name))
                .should()
                .callMethod(System.class, "currentTimeMillis")
                .orShould()
                .callMethod(System.class, "nanoTime")
                .orShould()
                .callMethod(Math.class, "random")
                .orShould()
                .callConstructor(Random.class)
                .orShould()
                .dependOnClassesThat()
                .areAssignableTo(ThreadLocalRandom.class)
                .orShould()
                .dependOnClassesThat()
                .resideInAPackage("java.time..")
                .allowEmptyShould(true)
                .check(CLASSES);
    }

    private static DescribedPredicate<JavaClass> residesIn(String name) {
        return JavaClass.Predicates.resideInAPackage(ROOT + name + "..");
    }

    /** The first package segment below the root, or the empty string for a class in the root itself. */
    private static String topPackage(JavaClass c) {
        String name = c.getPackageName();
        return name.startsWith(ROOT) ? name.substring(ROOT.length()).split("\\.")[0] : "";
    }

    private static Collection<String> reachableFrom(String name) {
        Collection<String> reached = new TreeSet<>(List.of(name));
        Deque<String> open = new ArrayDeque<>(reached);
        while (!open.isEmpty()) {
            for (String next : ARROWS.get(open.pop())) {
                if (reached.add(next)) {
                    open.push(next);
                }
            }
        }
        return reached;
    }
}
