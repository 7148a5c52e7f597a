package io.github.rhosweep.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;

class LocationTest {
    @Test
    void paths_areAbsoluteAndLocal_alsoThoseOfFileUris() {
        Path here = Path.of("out ü").toAbsolutePath();
        for (String text : new String[] {"out ü", "./x/../out ü", here.toUri().toString()}) {
            Location location = Location.parse(text, Map.of());
            assertThat(location.isLocal()).isTrue();
            assertThat(location.path()).isEqualTo(here);
            assertThat(location).isEqualTo(Location.of(here)).hasToString(here.toString());
        }
        // A colon that follows no name of a file system belongs to the path.
        assertThat(Location.parse("a:b", Map.of()).isLocal()).isTrue();
    }

    @Test
    void uris_keepTheirText_andGiveNoPath() {
        Location out = Location.parse("s3a://bucket/a b//", Map.of("fs.s3a.secret.key", "hidden"));
        assertThat(out).hasToString("s3a://bucket/a b");
        assertThat(out.isLocal()).isFalse();
        assertThat(out.resolve("runs").resolve("1.parquet")).hasToString("s3a://bucket/a b/runs/1.parquet");
        assertThat(out.resolve("runs").name()).isEqualTo("runs");
        assertThat(out.resolve("runs").sibling("points")).isEqualTo(out.resolve("points"));
        assertThatThrownBy(out::path).isInstanceOf(IllegalStateException.class).hasMessageContaining("s3a://bucket");
        assertThat(Location.parse("hdfs:/x", Map.of())).hasToString("hdfs:/x");
    }

    @Test
    void others_areRefused_withWhatWasExpected() {
        assertThatThrownBy(() -> Location.parse("s3://bucket/x", Map.of()))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("s3://bucket/x")
                .hasMessageContaining("file:, hdfs: or s3a:");
        assertThatThrownBy(() -> Location.parse("file://host/x", Map.of()))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("file://host/x");
    }

    /** Each would else be a folder here: the working directory itself, or one with an odd name. */
    @Test
    void whatCanHardlyBeMeant_isRefused() {
        for (String nothing : new String[] {"", "  "}) {
            assertThatThrownBy(() -> Location.parse(nothing, Map.of()))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageStartingWith("found nothing, expected a path or a URI");
        }
        for (String relative : new String[] {"file:out", "FILE:out", "hdfs:out", "s3a:bucket/out", "s3:bucket"}) {
            assertThatThrownBy(() -> Location.parse(relative, Map.of()))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("`" + relative + "`: a URI has a slash after its first colon");
        }
        assertThat(Location.parse("./file:out", Map.of()).path()).hasFileName("file:out");
    }

    @Test
    void travels_withItsSettings() throws Exception {
        Location out = Location.parse("s3a://bucket/out", Map.of("fs.s3a.endpoint", "http://127.0.0.1:1"));
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (ObjectOutputStream stream = new ObjectOutputStream(bytes)) {
            stream.writeObject(out);
        }
        try (ObjectInputStream stream = new ObjectInputStream(new ByteArrayInputStream(bytes.toByteArray()))) {
            Location copy = (Location) stream.readObject();
            assertThat(copy).isEqualTo(out).hasSameHashCodeAs(out);
            assertThat(copy.resolve("x")).isEqualTo(out.resolve("x"));
        }
    }
}
