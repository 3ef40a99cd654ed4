#include "CInflate.h"

#include <limits.h>
#include <stdlib.h>
#include <zlib.h>

struct larder_inflater {
    z_stream stream;
};

larder_inflater *larder_inflater_make(int window_bits) {
    larder_inflater *inflater = calloc(1, sizeof *inflater);
    if (inflater != NULL && inflateInit2(&inflater->stream, window_bits) != Z_OK) {
        free(inflater);
        return NULL;
    }
    return inflater;
}

int larder_inflater_step(
    larder_inflater *inflater, const uint8_t *input, size_t *input_length, uint8_t *output, size_t *output_length) {
    z_stream *stream = &inflater->stream;
    uInt in = *input_length > INT_MAX ? INT_MAX : (uInt)*input_length;
    uInt out = *output_length > INT_MAX ? INT_MAX : (uInt)*output_length;
    stream->next_in = (Bytef *)input;
    stream->avail_in = in;
    stream->next_out = output;
    stream->avail_out = out;
    int result = inflate(stream, Z_NO_FLUSH);
    *input_length = in - stream->avail_in;
    *output_length = out - stream->avail_out;
    if (result == Z_STREAM_END) return LARDER_INFLATED_END;
    return result == Z_OK || result == Z_BUF_ERROR ? LARDER_INFLATED_MORE : LARDER_INFLATED_DAMAGED;
}

int larder_inflater_reset(larder_inflater *inflater) { return inflateReset(&inflater->stream) == Z_OK; }

void larder_inflater_free(larder_inflater *inflater) {
    if (inflater == NULL) return;
    inflateEnd(&inflater->stream);
    free(inflater);
}
