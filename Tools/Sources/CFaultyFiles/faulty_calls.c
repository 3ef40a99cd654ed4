// The C library's functions that change files, under their own names: a preloaded library comes before it.
#if defined(__linux__)
#define _GNU_SOURCE
#define _FORTIFY_SOURCE 0
// Both names of each function are defined below, so neither may stand for the other.
#undef _FILE_OFFSET_BITS
#include "faulty_files.h"
#include "faulty_state.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdarg.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

#define ALIAS(name) __attribute__((alias(#name)))

static int fail(int error) {
    faulty_unlock();
    errno = error;
    return -1;
}

static int open_file(int directory, const char *path, int flags, unsigned mode) {
    char buffer[PATH_MAX];
    const char *name = faulty_resolve(directory, path, buffer);
    if (!faulty_is_below(name)) {
        int descriptor = (int)syscall(SYS_openat, directory, path, flags, mode);
        faulty_watch(descriptor, false);
        return descriptor;
    }
    faulty_lock();
    int error = faulty_verdict(CALL_OPEN);
    bool is_there = syscall(SYS_faccessat, AT_FDCWD, name, F_OK) == 0;
    bool changes = (flags & O_TRUNC) || ((flags & O_CREAT) && !is_there);
    bool writes = (flags & O_ACCMODE) != O_RDONLY;
    if (!error && (changes || (writes && faulty_is_read_only()))) error = faulty_verdict(CALL_CHANGE);
    if (error > 0) return fail(is_there && (flags & O_EXCL) ? EEXIST : error);
    if (changes) faulty_change(-1, NULL, 0, 0);
    int descriptor = (int)syscall(SYS_openat, directory, path, flags, mode);
    faulty_watch(descriptor, descriptor >= 0);
    if (descriptor >= 0) faulty_record(FAULTY_OPEN, descriptor, flags, name, NULL, 0);
    faulty_unlock();
    return descriptor;
}

static unsigned mode_of(int flags, va_list arguments) {
    return flags & (O_CREAT | __O_TMPFILE) ? va_arg(arguments, unsigned) : 0;
}

int open(const char *path, int flags, ...) {
    va_list arguments;
    va_start(arguments, flags);
    unsigned mode = mode_of(flags, arguments);
    va_end(arguments);
    return open_file(AT_FDCWD, path, flags, mode);
}
int open64(const char *path, int flags, ...) ALIAS(open);

int openat(int directory, const char *path, int flags, ...) {
    va_list arguments;
    va_start(arguments, flags);
    unsigned mode = mode_of(flags, arguments);
    va_end(arguments);
    return open_file(directory, path, flags, mode);
}
int openat64(int directory, const char *path, int flags, ...) ALIAS(openat);

int creat(const char *path, mode_t mode) { return open_file(AT_FDCWD, path, O_CREAT | O_WRONLY | O_TRUNC, mode); }
int creat64(const char *path, mode_t mode) ALIAS(creat);

int close(int descriptor) {
    if (!faulty_is_watched(descriptor)) return (int)syscall(SYS_close, descriptor);
    faulty_lock();
    faulty_record(FAULTY_CLOSE, descriptor, 0, NULL, NULL, 0);
    faulty_watch(descriptor, false);
    int result = (int)syscall(SYS_close, descriptor);
    faulty_unlock();
    return result;
}

/// A write at an offset, or at the descriptor's own place when the offset is negative.
static ssize_t write_bytes(int descriptor, const void *bytes, size_t count, off_t offset) {
    faulty_lock();
    int error = faulty_verdict(CALL_WRITE);
    if (error > 0) return fail(error);
    if (error < 0 && count > 1) count /= 2;
    bool is_sequential = offset < 0;
    if (is_sequential) {
        bool appends = syscall(SYS_fcntl, descriptor, F_GETFL) & O_APPEND;
        offset = syscall(SYS_lseek, descriptor, 0, appends ? SEEK_END : SEEK_CUR);
    }
    faulty_change(descriptor, bytes, count, offset);
    ssize_t put = is_sequential ? syscall(SYS_write, descriptor, bytes, count)
                                : syscall(SYS_pwrite64, descriptor, bytes, count, offset);
    if (put > 0) faulty_record(FAULTY_WRITE, descriptor, offset, NULL, bytes, (size_t)put);
    faulty_unlock();
    return put;
}

ssize_t write(int descriptor, const void *bytes, size_t count) {
    if (faulty_is_watched(descriptor)) return write_bytes(descriptor, bytes, count, -1);
    if (descriptor != STDOUT_FILENO) return syscall(SYS_write, descriptor, bytes, count);
    faulty_lock();
    ssize_t put = syscall(SYS_write, descriptor, bytes, count);
    if (put > 0) faulty_record(FAULTY_LINE, descriptor, 0, NULL, bytes, (size_t)put);
    faulty_unlock();
    return put;
}

ssize_t pwrite(int descriptor, const void *bytes, size_t count, off_t offset) {
    if (faulty_is_watched(descriptor)) return write_bytes(descriptor, bytes, count, offset);
    return syscall(SYS_pwrite64, descriptor, bytes, count, offset);
}
ssize_t pwrite64(int descriptor, const void *bytes, size_t count, off64_t offset) ALIAS(pwrite);

// Piece by piece; a caller that gets fewer bytes than it gave goes on, as it has to.
static ssize_t write_parts(int descriptor, const struct iovec *parts, int count, off_t offset) {
    ssize_t all = 0;
    for (int index = 0; index < count; index++) {
        if (parts[index].iov_len == 0) continue;
        ssize_t put = write_bytes(
            descriptor, parts[index].iov_base, parts[index].iov_len, offset < 0 ? -1 : offset + all);
        if (put < 0) return all > 0 ? all : put;
        all += put;
        if ((size_t)put < parts[index].iov_len) break;
    }
    return all;
}

ssize_t writev(int descriptor, const struct iovec *parts, int count) {
    if (faulty_is_watched(descriptor)) return write_parts(descriptor, parts, count, -1);
    return syscall(SYS_writev, descriptor, parts, count);
}

ssize_t pwritev(int descriptor, const struct iovec *parts, int count, off_t offset) {
    if (faulty_is_watched(descriptor)) return write_parts(descriptor, parts, count, offset);
    return syscall(SYS_pwritev, descriptor, parts, count, offset, 0L);
}
ssize_t pwritev64(int descriptor, const struct iovec *parts, int count, off64_t offset) ALIAS(pwritev);

static ssize_t read_bytes(int descriptor, void *bytes, size_t count, off_t offset) {
    if (faulty_is_watched(descriptor)) {
        faulty_lock();
        int error = faulty_verdict(CALL_READ);
        if (error > 0) return fail(error);
        faulty_unlock();
    }
    return offset < 0 ? syscall(SYS_read, descriptor, bytes, count)
                      : syscall(SYS_pread64, descriptor, bytes, count, offset);
}

ssize_t read(int descriptor, void *bytes, size_t count) { return read_bytes(descriptor, bytes, count, -1); }
ssize_t pread(int descriptor, void *bytes, size_t count, off_t offset) {
    return read_bytes(descriptor, bytes, count, offset);
}
ssize_t pread64(int descriptor, void *bytes, size_t count, off64_t offset) ALIAS(pread);

ssize_t preadv(int descriptor, const struct iovec *parts, int count, off_t offset) {
    if (faulty_is_watched(descriptor)) {
        faulty_lock();
        int error = faulty_verdict(CALL_READ);
        if (error > 0) return fail(error);
        faulty_unlock();
    }
    return syscall(SYS_preadv, descriptor, parts, count, offset, 0L);
}
ssize_t preadv64(int descriptor, const struct iovec *parts, int count, off64_t offset) ALIAS(preadv);

int ftruncate(int descriptor, off_t length) {
    if (!faulty_is_watched(descriptor)) return (int)syscall(SYS_ftruncate, descriptor, length);
    faulty_lock();
    int error = faulty_verdict(CALL_CHANGE);
    if (error > 0) return fail(error);
    faulty_change(-1, NULL, 0, 0);
    int result = (int)syscall(SYS_ftruncate, descriptor, length);
    if (result == 0) faulty_record(FAULTY_TRUNCATE, descriptor, length, NULL, NULL, 0);
    faulty_unlock();
    return result;
}
int ftruncate64(int descriptor, off64_t length) ALIAS(ftruncate);

int fallocate(int descriptor, int mode, off_t offset, off_t length) {
    if (!faulty_is_watched(descriptor)) return (int)syscall(SYS_fallocate, descriptor, mode, offset, length);
    faulty_lock();
    int error = faulty_verdict(CALL_CHANGE);
    if (error > 0) return fail(error);
    struct stat status;
    bool grows = mode == 0 && fstat(descriptor, &status) == 0 && status.st_size < offset + length;
    faulty_change(-1, NULL, 0, 0);
    int result = (int)syscall(SYS_fallocate, descriptor, mode, offset, length);
    if (result == 0 && grows) faulty_record(FAULTY_TRUNCATE, descriptor, offset + length, NULL, NULL, 0);
    faulty_unlock();
    return result;
}
int fallocate64(int descriptor, int mode, off64_t offset, off64_t length) ALIAS(fallocate);

int posix_fallocate(int descriptor, off_t offset, off_t length) {
    return fallocate(descriptor, 0, offset, length) == 0 ? 0 : errno;
}
int posix_fallocate64(int descriptor, off64_t offset, off64_t length) ALIAS(posix_fallocate);

static int synchronize(int descriptor, long call) {
    if (!faulty_is_watched(descriptor)) return (int)syscall(call, descriptor);
    faulty_lock();
    int error = faulty_verdict(CALL_SYNC);
    if (error > 0) return fail(error);
    faulty_change(-1, NULL, 0, 0);
    // The disk of this machine need not follow: what a loss of power leaves is worked out from the journal.
    faulty_record(FAULTY_SYNC, descriptor, 0, NULL, NULL, 0);
    faulty_unlock();
    return 0;
}

int fsync(int descriptor) { return synchronize(descriptor, SYS_fsync); }
int fdatasync(int descriptor) { return synchronize(descriptor, SYS_fdatasync); }
#endif
