#ifndef C_INFLATE_H
#define C_INFLATE_H

#include <stddef.h>
#include <stdint.h>

/// The inflating half of zlib, which every platform has, without what Swift does not import of it.
typedef struct larder_inflater larder_inflater;

/// What one step has come to.
enum larder_inflated { LARDER_INFLATED_DAMAGED = -1, LARDER_INFLATED_MORE = 0, LARDER_INFLATED_END = 1 };

/// - window_bits: as inflateInit2 has them: 31 for gzip, 15 for zlib, -15 for bare deflate.
/// NULL without memory. To be freed.
larder_inflater *larder_inflater_make(int window_bits);

/// Takes from the input and adds to the output as much as fits; the lengths become what was taken and added.
/// LARDER_INFLATED_MORE with nothing taken and nothing added means that the input ended too early.
int larder_inflater_step(
    larder_inflater *inflater, const uint8_t *input, size_t *input_length, uint8_t *output, size_t *output_length);

/// Begins anew, with the next member of a gzip file. Whether that worked.
int larder_inflater_reset(larder_inflater *inflater);

void larder_inflater_free(larder_inflater *inflater);

#endif
