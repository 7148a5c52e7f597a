package io.github.rhosweep.check;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.StringWriter;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * The self-check finds defects: each mutation is put into the simulator's own source, that class is compiled anew, and the checks run
 * with it in a class loader of their own.
 */
@Tag("integration")
class MutationTest {
    private static final Path SOURCES = Path.of("src", "main", "java", "io", "github", "rhosweep", "kernel");

    /** What is put where. Each text must stand in the source, or the test fails. */
    enum Mutation {
        POINTERS_MOVE_IN_EVERY_ROUND("Islip", "if (round == 0) {", "if (round >= 0) {"),
        POINTERS_STAY_AT_THE_PARTNER(
                "Islip",
                "acceptPointers[ingress] = egress + 1 == ports ? 0 : egress + 1;",
                "acceptPointers[ingress] = egress;"),
        ONE_ROUND_TOO_FEW("Islip", "round < iterations", "round < Math.max(1, iterations - 1)"),
        ECN_WITHOUT_THE_LEAVING_FRAME("Switch", "marker.marks(fill)", "marker.marks(fill - wire)"),
        RED_WITHOUT_PMAX("EcnMarker", "pmax * (fill - kmin)", "(fill - kmin)"),
        GENERATOR_WITH_ANOTHER_SHIFT("Xorshift64", "y ^= y << 13;", "y ^= y << 12;"),
        DYNAMIC_THRESHOLD_WITHOUT_CLAMP("SharedBuffer", "Math.max(0, capacity - used)", "(capacity - used)"),
        ACTIVE_QUEUES_OFF_BY_ONE("SharedBuffer", "queueBytes == 0 ? activeVoqs + 1 : activeVoqs", "activeVoqs"),
        BUSY_INCLUDES_FORWARDING("Switch", "busyUntilPs[egress] = free;", "busyUntilPs[egress] = free + forwardingPs;"),
        TICK_BEFORE_ARRIVAL(
                "Simulation",
                "if (tickKey < key) {",
                "if (tickKey < key || tickKey != EventQueue.NEVER && events.timeOfKey(tickKey) == events.timeOfKey(key)) {"),
        TICK_BEFORE_ARRIVAL_IN_AN_INCAST(
                "Concentrator", "} else if (arrivalPs == next) {", "} else if (arrivalPs == next && tickPs != next) {"),
        TICKS_NEARER_THAN_A_SLOT("Switch", "earliestTickPs = now + slotPs;", "earliestTickPs = now + slotPs - 1;"),
        DATA_BEFORE_CONTROL("VoqBank", "pool.enqueuedPs[high] <= pool", "pool.enqueuedPs[high] < pool"),
        SERIALISATION_TWICE(
                "Switch", "Math.addExact(free, forwardingPs)", "Math.addExact(free + serial, forwardingPs)"),
        DCQCN_CUTS_BY_ALPHA("Dcqcn", "rate[flow] * (1 - used / 2)", "rate[flow] * (1 - used)"),
        DCQCN_RAISES_ONCE_TOO_OFTEN("Dcqcn", "} else if (most >= spec.fastRecovery()) {", "} else if (most >= 0) {");

        private final String file;
        private final String before;
        private final String after;

        Mutation(String file, String before, String after) {
            this.file = file;
            this.before = before;
            this.after = after;
        }
    }

    @TempDir
    Path compiled;

    @ParameterizedTest
    @EnumSource
    void mutation_isFound(Mutation mutation) throws Exception {
        String source = Files.readString(SOURCES.resolve(mutation.file + ".java"));
        assertThat(source).as("the text that %s replaces", mutation).contains(mutation.before);
        compile(mutation.file, source.replace(mutation.before, mutation.after));
        assertThat(firstFailure()).as("what fails with %s", mutation).isNotEmpty();
    }

    /** As above without a mutation: what fails there is not the way in which the checks are run. */
    @Test
    void untouchedSource_passes() throws Exception {
        compile("Switch", Files.readString(SOURCES.resolve("Switch.java")));
        assertThat(firstFailure()).isEmpty();
    }

    private void compile(String name, String source) {
        JavaCompiler compiler = Objects.requireNonNull(ToolProvider.getSystemJavaCompiler(), "no compiler: not a JDK");
        JavaFileObject file =
                new SimpleJavaFileObject(URI.create("string:///" + name + ".java"), JavaFileObject.Kind.SOURCE) {
                    @Override
                    public CharSequence getCharContent(boolean ignoreEncodingErrors) {
                        return source;
                    }
                };
        StringWriter complaints = new StringWriter();
        List<String> options = List.of(
                "-d",
                compiled.toString(),
                "-cp",
                System.getProperty("java.class.path"),
                "-proc:none",
                "--release",
                "17");
        boolean done = compiler.getTask(complaints, null, null, options, null, List.of(file))
                .call();
        assertThat(done).as("%s", complaints).isTrue();
    }

    /** The first check that fails with the compiled class in place of the project's; empty if all pass. */
    private String firstFailure() throws Exception {
        ClassLoader mutant = new Overlay(compiled, mainClasses());
        Class<?> check = mutant.loadClass(SelfCheck.class.getName());
        assertThat(check).isNotEqualTo(SelfCheck.class);
        Class<?> finding = mutant.loadClass(Finding.class.getName());
        for (Object each : check.getEnumConstants()) {
            List<?> found;
            try {
                found = (List<?>) check.getMethod("run").invoke(each);
            } catch (java.lang.reflect.InvocationTargetException failed) {
                return each + ": " + failed.getCause();
            }
            for (Object f : found) {
                if (!(Boolean) finding.getMethod("passed").invoke(f)) {
                    return f.toString();
                }
            }
        }
        return "";
    }

    private static Path mainClasses() throws URISyntaxException {
        return Path.of(SelfCheck.class
                .getProtectionDomain()
                .getCodeSource()
                .getLocation()
                .toURI());
    }

    /** Loads the project's classes itself, those in a folder first; libraries come from the tests' own loader. */
    private static final class Overlay extends ClassLoader {
        private final Path first;
        private final Path second;

        Overlay(Path first, Path second) {
            super(MutationTest.class.getClassLoader());
            this.first = first;
            this.second = second;
        }

        @Override
        protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
            if (!name.startsWith("io.github.rhosweep.")) {
                return super.loadClass(name, resolve);
            }
            synchronized (getClassLoadingLock(name)) {
                Class<?> known = findLoadedClass(name);
                return known != null ? known : define(name);
            }
        }

        private Class<?> define(String name) throws ClassNotFoundException {
            String file = name.replace('.', '/') + ".class";
            Path path = Files.exists(first.resolve(file)) ? first.resolve(file) : second.resolve(file);
            try {
                byte[] bytes = Files.readAllBytes(path);
                return defineClass(name, bytes, 0, bytes.length);
            } catch (IOException missing) {
                throw new ClassNotFoundException(name, missing);
            }
        }
    }
}
