#ifndef C_FILE_HOLES_H
#define C_FILE_HOLES_H

#include <stdint.h>

/// fallocate(2) with FALLOC_FL_PUNCH_HOLE and FALLOC_FL_KEEP_SIZE, which Swift does not import from Glibc. Elsewhere
/// than on Linux it fails with ENOTSUP.
int larder_punch_hole(int descriptor, int64_t offset, int64_t length);

#endif
