#ifndef LARDER_DEMO_FILES_H
#define LARDER_DEMO_FILES_H

#include <stddef.h>

/// A picture, the font or the film of the sample site, compiled in so that a program needs no folder beside it.
struct larder_demo_file {
    const char *_Nonnull name;
    const unsigned char *_Nonnull bytes;
    size_t count;
};

/// NULL from the number of files on.
const struct larder_demo_file *_Nullable larder_demo_file(size_t index);

#endif
