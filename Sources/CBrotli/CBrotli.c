#include "CBrotli.h"

#include <dlfcn.h>
#include <pthread.h>

// These stand in brotli/decode.h, whose package of headers need not be installed.
enum { BROTLI_ERROR = 0, BROTLI_SUCCESS = 1 };
typedef void *(*make_function)(void *allocate, void *release, void *context);
typedef int (*step_function)(
    void *decoder, size_t *input_length, const uint8_t **input, size_t *output_length, uint8_t **output,
    size_t *total_output);
typedef void (*free_function)(void *decoder);

static struct {
    make_function make;
    step_function step;
    free_function free;
} library;
static pthread_once_t once = PTHREAD_ONCE_INIT;

static void load(void) {
    void *handle = dlopen("libbrotlidec.so.1", RTLD_NOW | RTLD_LOCAL);
    if (handle == NULL) return;
    make_function make = (make_function)dlsym(handle, "BrotliDecoderCreateInstance");
    step_function step = (step_function)dlsym(handle, "BrotliDecoderDecompressStream");
    free_function free = (free_function)dlsym(handle, "BrotliDecoderDestroyInstance");
    if (make == NULL || step == NULL || free == NULL) {
        dlclose(handle);
        return;
    }
    library.step = step;
    library.free = free;
    library.make = make;
}

int larder_brotli_is_available(void) {
    pthread_once(&once, load);
    return library.make != NULL;
}

larder_brotli_decoder *larder_brotli_decoder_make(void) {
    // "Large windows" of up to 1 GiB are no content coding, and stay off.
    return larder_brotli_is_available() ? library.make(NULL, NULL, NULL) : NULL;
}

int larder_brotli_decoder_step(
    larder_brotli_decoder *decoder, const uint8_t *input, size_t *input_length, uint8_t *output, size_t *output_length) {
    size_t in = *input_length, out = *output_length;
    int result = library.step(decoder, &in, &input, &out, &output, NULL);
    *input_length -= in;
    *output_length -= out;
    if (result == BROTLI_SUCCESS) return LARDER_BROTLI_END;
    return result == BROTLI_ERROR ? LARDER_BROTLI_DAMAGED : LARDER_BROTLI_MORE;
}

void larder_brotli_decoder_free(larder_brotli_decoder *decoder) {
    if (decoder != NULL) library.free(decoder);
}
