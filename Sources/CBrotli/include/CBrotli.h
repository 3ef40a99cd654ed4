#ifndef C_BROTLI_H
#define C_BROTLI_H

#include <stddef.h>
#include <stdint.h>

/// The decoder of the system's libbrotlidec (RFC 7932), which is looked for at run time: where it is missing, all else works.
typedef struct larder_brotli_decoder larder_brotli_decoder;

/// What one step has come to.
enum larder_brotli_step {
    LARDER_BROTLI_DAMAGED = -1,
    LARDER_BROTLI_MORE = 0,
    LARDER_BROTLI_END = 1
};

/// Whether the system has the library. It is loaded at the first call, and stays.
int larder_brotli_is_available(void);

/// NULL without the library or without memory. To be freed.
larder_brotli_decoder *larder_brotli_decoder_make(void);

/// Takes from the input and adds to the output as much as fits; the lengths become what was taken and added.
/// LARDER_BROTLI_MORE with nothing taken and nothing added means that the input ended too early.
int larder_brotli_decoder_step(
    larder_brotli_decoder *decoder, const uint8_t *input, size_t *input_length, uint8_t *output, size_t *output_length);

void larder_brotli_decoder_free(larder_brotli_decoder *decoder);

#endif
