#ifdef __linux__
#define _GNU_SOURCE
#endif

#include "CFileHoles.h"

#include <errno.h>
#include <fcntl.h>

int larder_punch_hole(int descriptor, int64_t offset, int64_t length) {
#ifdef __linux__
    return fallocate(descriptor, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, offset, length);
#else
    errno = ENOTSUP;
    return -1;
#endif
}
