// The counters, the journal, and what the environment asks for.
#if defined(__linux__)
#define _GNU_SOURCE
#include "faulty_state.h"
#include "faulty_files.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

#define MOST_DESCRIPTORS 4096

static const char *root;
static size_t root_length;
static int journal = -1;
static long kill_at, stop_at, changes;
static char kind[16];
static long first, number, calls;
static bool has_failed;
static bool watched[MOST_DESCRIPTORS];
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static long number_of(const char *name) {
    const char *text = getenv(name);
    return text ? atol(text) : 0;
}

__attribute__((constructor)) static void begin(void) {
    const char *path = getenv("FAULTY_JOURNAL");
    const char *error = getenv("FAULTY_ERROR");
    if (path) {
        journal = (int)syscall(SYS_openat, AT_FDCWD, path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
    }
    kill_at = number_of("FAULTY_KILL_AT");
    stop_at = number_of("FAULTY_STOP_AT");
    if (error) {
        const char *colon = strchr(error, ':');
        size_t length = colon ? (size_t)(colon - error) : strlen(error);
        if (length < sizeof kind) memcpy(kind, error, length);
        if (colon) {
            first = atol(colon + 1);
            colon = strchr(colon + 1, ':');
            if (colon) number = atol(colon + 1);
        }
    }
    root = getenv("FAULTY_ROOT");
    root_length = root ? strlen(root) : 0;
}

bool faulty_is_below(const char *path) {
    if (!root || !path || strncmp(path, root, root_length) != 0) return false;
    if (path[root_length] != 0 && path[root_length] != '/') return false;
    // SQLite's shared memory is made anew after a loss of power.
    size_t length = strlen(path);
    return length < 4 || strcmp(path + length - 4, "-shm") != 0;
}

const char *faulty_resolve(int directory, const char *path, char *buffer) {
    if (path[0] == '/' || directory == AT_FDCWD) return path;
    char link[64];
    snprintf(link, sizeof link, "/proc/self/fd/%d", directory);
    ssize_t length = syscall(SYS_readlinkat, AT_FDCWD, link, buffer, PATH_MAX - 1);
    if (length <= 0 || (size_t)length + strlen(path) + 2 > PATH_MAX) return path;
    buffer[length] = '/';
    strcpy(buffer + length + 1, path);
    return buffer;
}

bool faulty_is_watched(int descriptor) {
    return root && descriptor >= 0 && descriptor < MOST_DESCRIPTORS && watched[descriptor];
}

void faulty_watch(int descriptor, bool is_watched) {
    if (descriptor >= 0 && descriptor < MOST_DESCRIPTORS) watched[descriptor] = is_watched;
}

bool faulty_is_read_only(void) { return strcmp(kind, "readonly") == 0; }

void faulty_lock(void) { pthread_mutex_lock(&lock); }
void faulty_unlock(void) { pthread_mutex_unlock(&lock); }

static bool concerns(enum call call, int *error) {
    bool changes_anything = call == CALL_CHANGE || call == CALL_WRITE;
    if (strcmp(kind, "enospc") == 0) { *error = ENOSPC; return changes_anything; }
    if (strcmp(kind, "eio") == 0) { *error = EIO; return changes_anything; }
    if (strcmp(kind, "readonly") == 0) { *error = EROFS; return changes_anything; }
    if (strcmp(kind, "short") == 0) { *error = -1; return call == CALL_WRITE; }
    if (strcmp(kind, "sync") == 0) { *error = EIO; return call == CALL_SYNC; }
    if (strcmp(kind, "emfile") == 0) { *error = EMFILE; return call == CALL_OPEN; }
    if (strcmp(kind, "read") == 0) { *error = EIO; return call == CALL_READ; }
    return false;
}

int faulty_verdict(enum call call) {
    int error = 0;
    if (!kind[0] || !concerns(call, &error)) return 0;
    calls += 1;
    bool fails = calls >= first && (number == 0 || calls < first + number);
    if (fails != has_failed) {
        const char *line = fails ? "# fault\n" : "# lifted\n";
        (void)syscall(SYS_write, 1, line, strlen(line));
        has_failed = fails;
    }
    return fails ? error : 0;
}

void faulty_change(int descriptor, const void *bytes, size_t count, off_t offset) {
    changes += 1;
    if (changes == stop_at) raise(SIGSTOP);
    if (changes != kill_at) return;
    if (bytes) (void)syscall(SYS_pwrite64, descriptor, bytes, count / 2, offset);
    raise(SIGKILL);
}

void faulty_record(unsigned kind, int descriptor, long long offset, const char *name, const void *data, size_t count) {
    if (journal < 0) return;
    int before = errno;
    struct faulty_record head = {kind, descriptor, offset, name ? (unsigned)strlen(name) : 0, (unsigned)count};
    struct iovec parts[3] = {{&head, sizeof head}, {(void *)name, head.name}, {(void *)data, count}};
    (void)syscall(SYS_writev, journal, parts, 3);
    errno = before;
}
#endif
