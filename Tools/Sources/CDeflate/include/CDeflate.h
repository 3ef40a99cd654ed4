#ifndef C_DEFLATE_H
#define C_DEFLATE_H

#include <stddef.h>
#include <stdint.h>

/// The most octets that larder_gzip writes for so many.
size_t larder_gzip_bound(size_t length);

/// Writes gzip (RFC 1952) at the best compression, without a time or a name, so that equal inputs have equal outputs.
/// How many octets were written; 0 without memory or space.
size_t larder_gzip(const uint8_t *input, size_t length, uint8_t *output, size_t space);

#endif
