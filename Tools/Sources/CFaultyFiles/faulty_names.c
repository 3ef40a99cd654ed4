// The C library's functions that change names and modes, as in faulty_calls.c.
#if defined(__linux__)
#define _GNU_SOURCE
#include "faulty_files.h"
#include "faulty_state.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

static int fail(int error) {
    faulty_unlock();
    errno = error;
    return -1;
}

static int rename_file(int from, const char *old, int to, const char *new, unsigned flags) {
    if (!faulty_is_below(new)) return (int)syscall(SYS_renameat2, from, old, to, new, flags);
    faulty_lock();
    int error = faulty_verdict(CALL_CHANGE);
    if (error > 0) return fail(error);
    faulty_change(-1, NULL, 0, 0);
    int result = (int)syscall(SYS_renameat2, from, old, to, new, flags);
    if (result == 0) faulty_record(FAULTY_RENAME, -1, 0, old, new, strlen(new));
    faulty_unlock();
    return result;
}

int rename(const char *old, const char *new) { return rename_file(AT_FDCWD, old, AT_FDCWD, new, 0); }
int renameat(int from, const char *old, int to, const char *new) { return rename_file(from, old, to, new, 0); }
int renameat2(int from, const char *old, int to, const char *new, unsigned flags) {
    return rename_file(from, old, to, new, flags);
}

static int unlink_file(int directory, const char *path, int flags) {
    char buffer[PATH_MAX];
    const char *name = faulty_resolve(directory, path, buffer);
    if (!faulty_is_below(name)) return (int)syscall(SYS_unlinkat, directory, path, flags);
    faulty_lock();
    // A full disk lets files go; only one that is read-only keeps them.
    int error = faulty_is_read_only() ? faulty_verdict(CALL_CHANGE) : 0;
    if (error > 0) return fail(error);
    faulty_change(-1, NULL, 0, 0);
    int result = (int)syscall(SYS_unlinkat, directory, path, flags);
    unsigned kind = flags & AT_REMOVEDIR ? FAULTY_REMOVE_DIR : FAULTY_UNLINK;
    if (result == 0) faulty_record(kind, -1, 0, name, NULL, 0);
    faulty_unlock();
    return result;
}

int unlink(const char *path) { return unlink_file(AT_FDCWD, path, 0); }
int unlinkat(int directory, const char *path, int flags) { return unlink_file(directory, path, flags); }
int rmdir(const char *path) { return unlink_file(AT_FDCWD, path, AT_REMOVEDIR); }

int mkdir(const char *path, mode_t mode) {
    if (!faulty_is_below(path)) return (int)syscall(SYS_mkdirat, AT_FDCWD, path, mode);
    faulty_lock();
    if (syscall(SYS_faccessat, AT_FDCWD, path, F_OK) == 0) return fail(EEXIST);
    int error = faulty_verdict(CALL_CHANGE);
    if (error > 0) return fail(error);
    faulty_change(-1, NULL, 0, 0);
    int result = (int)syscall(SYS_mkdirat, AT_FDCWD, path, mode);
    if (result == 0) faulty_record(FAULTY_MAKE_DIR, -1, 0, path, NULL, 0);
    faulty_unlock();
    return result;
}

/// Whether the file can't be written because nothing can; then with the error for it.
static bool is_refused(const char *path) {
    if (!faulty_is_read_only() || !faulty_is_below(path)) return false;
    faulty_lock();
    int error = faulty_verdict(CALL_CHANGE);
    if (error > 0) fail(error); else faulty_unlock();
    return error > 0;
}

int access(const char *path, int mode) {
    if ((mode & W_OK) && is_refused(path)) return -1;
    return (int)syscall(SYS_faccessat, AT_FDCWD, path, mode);
}

int chmod(const char *path, mode_t mode) {
    if (is_refused(path)) return -1;
    return (int)syscall(SYS_fchmodat, AT_FDCWD, path, mode);
}
#endif
