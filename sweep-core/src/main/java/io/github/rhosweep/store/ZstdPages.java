package io.github.rhosweep.store;

import com.github.luben.zstd.Zstd;
import com.github.luben.zstd.ZstdCompressCtx;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import org.apache.parquet.bytes.BytesInput;
import org.apache.parquet.compression.CompressionCodecFactory;
import org.apache.parquet.hadoop.metadata.CompressionCodecName;
import org.jspecify.annotations.Nullable;

/**
 * Compresses the pages of one file by zstd, each in one call. Parquet's own codec opens a stream a page, which clears tables sized for
 * megabytes: with hundreds of columns of small pages that took more time than all else about a file. For one thread.
 */
final class ZstdPages implements CompressionCodecFactory {
    private @Nullable ZstdCompressCtx context;

    @Override
    public BytesInputCompressor getCompressor(CompressionCodecName codec) {
        if (codec != CompressionCodecName.ZSTD) {
            throw new IllegalArgumentException("pages are compressed by zstd here, not by " + codec);
        }
        return new BytesInputCompressor() {
            @Override
            public BytesInput compress(BytesInput page) throws IOException {
                ByteArrayOutputStream bytes = new ByteArrayOutputStream(Math.toIntExact(page.size()));
                page.writeAllTo(bytes);
                return BytesInput.from(context().compress(bytes.toByteArray()));
            }

            @Override
            public CompressionCodecName getCodecName() {
                return codec;
            }

            @Override
            public void release() {}
        };
    }

    private ZstdCompressCtx context() {
        if (context == null) { // memory outside the heap: not before there is a page
            context = new ZstdCompressCtx().setLevel(Zstd.defaultCompressionLevel());
        }
        return context;
    }

    @Override
    public BytesInputDecompressor getDecompressor(CompressionCodecName codec) {
        throw new UnsupportedOperationException("for writing only");
    }

    @Override
    public void release() {
        if (context != null) {
            context.close();
            context = null;
        }
    }
}
