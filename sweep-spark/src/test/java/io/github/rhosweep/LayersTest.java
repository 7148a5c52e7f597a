package io.github.rhosweep;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.Architectures.layeredArchitecture;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import io.github.rhosweep.cli.Main;
import org.junit.jupiter.api.Test;

/** Which package of this module may use which; those of the core are held to theirs there. */
class LayersTest {
    private static final JavaClasses CLASSES = new ClassFileImporter()
            .importUrl(Main.class.getProtectionDomain().getCodeSource().getLocation());

    @Test
    void commandsUseJobs_jobsUseSummaries() {
        layeredArchitecture()
                .consideringOnlyDependenciesInAnyPackage("io.github.rhosweep..")
                .layer("cli")
                .definedBy("io.github.rhosweep.cli")
                .layer("spark")
                .definedBy("io.github.rhosweep.spark")
                .layer("summary")
                .definedBy("io.github.rhosweep.summary")
                .whereLayer("cli")
                .mayNotBeAccessedByAnyLayer()
                .whereLayer("spark")
                .mayOnlyBeAccessedByLayers("cli")
                .whereLayer("summary")
                .mayOnlyBeAccessedByLayers("cli", "spark")
                .check(CLASSES);
    }

    /** So that what only reads a folder starts none. */
    @Test
    void summaries_knowNoSpark() {
        noClasses()
                .that()
                .resideInAPackage("io.github.rhosweep.summary")
                .should()
                .dependOnClassesThat()
                .resideInAPackage("org.apache.spark..")
                .check(CLASSES);
    }
}
