package io.github.rhosweep.spark.halting;

import java.util.List;
import java.util.Map;
import org.apache.logging.log4j.Level;
import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.core.LogEvent;
import org.apache.logging.log4j.core.LoggerContext;
import org.apache.logging.log4j.core.appender.AbstractAppender;
import org.apache.logging.log4j.core.config.Configurator;
import org.apache.logging.log4j.core.config.Property;
import org.apache.spark.api.plugin.DriverPlugin;
import org.apache.spark.api.plugin.ExecutorPlugin;
import org.apache.spark.api.plugin.PluginContext;
import org.apache.spark.api.plugin.SparkPlugin;

/**
 * Makes points deadly: an executor that loads this plugin dies, without another word, when its log says that the run of one of
 * {@code spark.halting.keys} (with commas between) begins. Knows nothing of the program but that line.
 */
public final class HaltingPlugin implements SparkPlugin {
    @Override
    public DriverPlugin driverPlugin() {
        return null;
    }

    @Override
    public ExecutorPlugin executorPlugin() {
        return new ExecutorPlugin() {
            @Override
            public void init(PluginContext context, Map<String, String> extra) {
                Halt halt = new Halt(
                        List.of(context.conf().get("spark.halting.keys").split(",", -1)));
                halt.start();
                Configurator.setLevel("io.github.rhosweep", Level.DEBUG);
                ((LoggerContext) LogManager.getContext(false)).getRootLogger().addAppender(halt);
            }
        };
    }

    private static final class Halt extends AbstractAppender {
        private final List<String> lines;

        Halt(List<String> keys) {
            super("halt", null, null, false, Property.EMPTY_ARRAY);
            this.lines = keys.stream().map(key -> "run " + key + " begins").toList();
        }

        @Override
        public void append(LogEvent event) {
            String told = event.getMessage().getFormattedMessage();
            if (lines.stream().anyMatch(told::startsWith)) {
                Runtime.getRuntime().halt(137);
            }
        }
    }
}
