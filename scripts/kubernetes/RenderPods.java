import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.util.Arrays;
import java.util.Map;
import org.apache.spark.SecurityManager;
import org.apache.spark.SparkConf;
import org.apache.spark.deploy.SparkSubmitArguments;
import org.apache.spark.deploy.k8s.KubernetesConf$;
import org.apache.spark.deploy.k8s.KubernetesDriverConf;
import org.apache.spark.deploy.k8s.KubernetesDriverSpec;
import org.apache.spark.deploy.k8s.KubernetesExecutorConf;
import org.apache.spark.deploy.k8s.SparkPod;
import org.apache.spark.deploy.k8s.submit.JavaMainAppResource;
import org.apache.spark.deploy.k8s.submit.KubernetesDriverBuilder;
import org.apache.spark.resource.ResourceProfile$;
import org.apache.spark.scheduler.cluster.k8s.KubernetesExecutorBuilder;
import scala.Option;
import scala.jdk.javaapi.CollectionConverters;

/** Prints what spark-submit would create for its arguments, by Spark's own builders; no server is asked. */
public final class RenderPods {
    private static final String APPLICATION = "spark-application";

    private RenderPods() {}

    /** @param args those of spark-submit */
    public static void main(String[] args) {
        SparkSubmitArguments submit = new SparkSubmitArguments(
                CollectionConverters.asScala(Arrays.asList(args)).toSeq(),
                scala.collection.immutable.Map.from(CollectionConverters.asScala(Map.<String, String>of())));
        SparkConf conf = new SparkConf(false);
        CollectionConverters.asJava(submit.sparkProperties()).forEach(conf::set);
        conf.set("spark.app.name", submit.name());
        try (KubernetesClient nobody = new KubernetesClientBuilder()
                .withConfig(new ConfigBuilder().withAutoConfigure(false).withNamespace("default").build())
                .build()) {
            KubernetesDriverConf driverConf = KubernetesConf$.MODULE$.createDriverConf(
                    conf,
                    APPLICATION,
                    JavaMainAppResource.of(submit.primaryResource()),
                    submit.mainClass(),
                    CollectionConverters.asJava(submit.childArgs()).toArray(String[]::new),
                    Option.<String>empty());
            KubernetesDriverSpec driver = new KubernetesDriverBuilder().buildFromFeatures(driverConf, nobody);
            Pod driverPod = print("the driver", driver.pod());
            for (HasMetadata resource : driver.getDriverKubernetesResourcesAsJavaList()) {
                System.out.println("---\n# " + resource.getKind() + " " + resource.getMetadata().getName());
            }
            // What the driver would tell its executors of itself.
            conf.set("spark.driver.host", "driver.default.svc").set("spark.driver.port", "7078");
            KubernetesExecutorConf executorConf =
                    KubernetesConf$.MODULE$.createExecutorConf(conf, "1", APPLICATION, Option.apply(driverPod), 0);
            print(
                    "one of " + conf.get("spark.executor.instances", "2") + " executors",
                    new KubernetesExecutorBuilder()
                            .buildFromFeatures(
                                    executorConf,
                                    new SecurityManager(
                                            conf, Option.empty(), SecurityManager.$lessinit$greater$default$3()),
                                    nobody,
                                    ResourceProfile$.MODULE$.getOrCreateDefaultProfile(conf))
                            .pod());
        }
    }

    private static Pod print(String what, SparkPod spark) {
        Pod pod = new PodBuilder(spark.pod())
                .editSpec()
                .addToContainers(spark.container())
                .endSpec()
                .build();
        System.out.println("--- # " + what);
        System.out.println(Serialization.asYaml(pod).replaceFirst("^---\\n", ""));
        return pod;
    }
}
