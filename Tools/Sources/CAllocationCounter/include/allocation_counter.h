#ifndef LARDER_ALLOCATION_COUNTER_H
#define LARDER_ALLOCATION_COUNTER_H

#include <stdint.h>

/// How many blocks this process has asked for since it started: malloc, calloc, realloc and aligned allocation.
uint64_t larder_allocations(void);

#endif
