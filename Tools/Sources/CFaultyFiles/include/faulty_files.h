#ifndef LARDER_FAULTY_FILES_H
#define LARDER_FAULTY_FILES_H

/// A library to be preloaded (LD_PRELOAD): it stands between a program and the files below one directory.
///
/// It does nothing unless FAULTY_ROOT names that directory. Then these variables say what it does:
///
///     FAULTY_JOURNAL=path     appends a record of every change below the root to this file, for power loss
///     FAULTY_KILL_AT=n        SIGKILL instead of the n-th change; a write puts half of its bytes first
///     FAULTY_STOP_AT=n        SIGSTOP before the n-th change, with whatever locks the program holds then
///     FAULTY_ERROR=kind:n:m   from the n-th call of that kind on, m calls fail (m = 0: all of them)
///
/// Kinds: enospc, eio (writes, lengths, new files and new names), sync (fsync), emfile (open), short (writes half),
/// read (EIO from read and pread), readonly (EROFS from whatever changes anything). "# fault" and "# lifted" are
/// written to standard output before the first and after the last call that fails.
///
/// A record is this head and then `name` and `data` bytes; numbers in the machine's order.
struct faulty_record {
    unsigned int kind;
    int descriptor;
    long long offset;
    unsigned int name;
    unsigned int data;
};

enum {
    FAULTY_OPEN = 1,   ///< name; offset: the flags of open(2)
    FAULTY_CLOSE,      ///< descriptor
    FAULTY_WRITE,      ///< descriptor, offset, data
    FAULTY_TRUNCATE,   ///< descriptor, offset: the new length
    FAULTY_RENAME,     ///< name, data: the new name
    FAULTY_UNLINK,     ///< name
    FAULTY_MAKE_DIR,   ///< name
    FAULTY_REMOVE_DIR, ///< name
    FAULTY_SYNC,       ///< descriptor, of a file or a directory
    FAULTY_LINE,       ///< data: what went to standard output
};

#endif
