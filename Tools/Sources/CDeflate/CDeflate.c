#include "CDeflate.h"

#include <limits.h>
#include <zlib.h>

size_t larder_gzip_bound(size_t length) {
    /* compressBound is for zlib's header; that of gzip has twelve octets more. */
    return length > INT_MAX ? 0 : compressBound((uLong)length) + 32;
}

size_t larder_gzip(const uint8_t *input, size_t length, uint8_t *output, size_t space) {
    z_stream stream = {0};
    if (length > INT_MAX || space > UINT_MAX) return 0;
    if (deflateInit2(&stream, Z_BEST_COMPRESSION, Z_DEFLATED, 31, 9, Z_DEFAULT_STRATEGY) != Z_OK) return 0;
    /* The system that wrote it is unknown; zlib would say which. */
    gz_header header = {.os = 255};
    deflateSetHeader(&stream, &header);
    stream.next_in = (Bytef *)input;
    stream.avail_in = (uInt)length;
    stream.next_out = output;
    stream.avail_out = (uInt)space;
    int result = deflate(&stream, Z_FINISH);
    size_t written = stream.total_out;
    deflateEnd(&stream);
    return result == Z_STREAM_END ? written : 0;
}
