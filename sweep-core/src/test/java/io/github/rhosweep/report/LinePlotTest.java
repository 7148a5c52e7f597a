package io.github.rhosweep.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.awt.image.BufferedImage;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import javax.imageio.ImageIO;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LinePlotTest {
    private static final Curve RISING =
            new Curve("N = 8", List.of(new Curve.Point(0.1, 400, 5), new Curve.Point(0.9, 1500, 200)));
    private static final LinePlot PLOT =
            new LinePlot("latency <&> load", "traffic_load", "message_latency_mean_ns", false, false, List.of(RISING));

    @TempDir
    private Path dir;

    @Test
    void svg_isOneWholeFile_withTheCurveInItsColour() throws IOException {
        Path file = dir.resolve("kurve ü.svg");
        PLOT.write(file);

        // Text is drawn as outlines, so what can be looked for is the curve's colour.
        assertThat(Files.readString(file)).contains("<svg", "rgb(0,114,178)").doesNotContain("rgb(213,94,0)");
        assertThat(dir).isDirectoryNotContaining(path -> !path.equals(file));
    }

    @Test
    void png_hasMarksInTheCurvesColour() throws IOException {
        Path file = dir.resolve("curve.png");
        PLOT.write(file);

        BufferedImage picture = ImageIO.read(file.toFile());
        long blue = 0;
        for (int x = 0; x < picture.getWidth(); x++) {
            for (int y = 0; y < picture.getHeight(); y++) {
                if ((picture.getRGB(x, y) & 0xFFFFFF) == 0x0072B2) {
                    blue++;
                }
            }
        }
        assertThat(blue).isGreaterThan(500);
    }

    @Test
    void picture_isReadableLikeAnyOtherFile() throws IOException {
        assumeThat(dir.getFileSystem().supportedFileAttributeViews()).contains("posix");
        Path other = Files.createFile(dir.resolve("other"));
        Path picture = dir.resolve("curve.svg");
        PLOT.write(picture);

        assertThat(Files.getPosixFilePermissions(picture)).isEqualTo(Files.getPosixFilePermissions(other));
    }

    @Test
    void otherEnding_isRefused() {
        assertThatThrownBy(() -> PLOT.write(dir.resolve("curve.gif"))).hasMessageContaining("neither .svg nor .png");
        assertThat(dir).isEmptyDirectory();
    }
}
