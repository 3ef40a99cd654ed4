#ifndef LARDER_SPAWNING_H
#define LARDER_SPAWNING_H
#if defined(__linux__)

#include <spawn.h>

/// posix_spawn_file_actions_addclosefrom_np(3), which the C library has and its headers for Swift do not: the program
/// gets no descriptor from that number on.
int larder_spawn_close_from(posix_spawn_file_actions_t *actions, int from);

#endif
#endif
