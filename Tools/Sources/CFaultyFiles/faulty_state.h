#ifndef LARDER_FAULTY_STATE_H
#define LARDER_FAULTY_STATE_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

/// What a call is, for FAULTY_ERROR and for counting.
enum call { CALL_CHANGE, CALL_WRITE, CALL_SYNC, CALL_OPEN, CALL_READ };

/// The absolute path of what a call names, in a buffer of PATH_MAX; `path` itself when that is absolute.
const char *faulty_resolve(int directory, const char *path, char *buffer);

bool faulty_is_below(const char *path);
bool faulty_is_watched(int descriptor);
void faulty_watch(int descriptor, bool is_watched);
bool faulty_is_read_only(void);

/// Every change is made and recorded under one lock, so that the journal has the order of the changes.
void faulty_lock(void);
void faulty_unlock(void);

/// The error with which a call has to fail, or 0; -1 for a write of half its bytes. Call with the lock held.
int faulty_verdict(enum call call);

/// Counts a change. Kills or stops the process when it is the one; before dying, writes half of the bytes.
void faulty_change(int descriptor, const void *bytes, size_t count, off_t offset);

void faulty_record(unsigned kind, int descriptor, long long offset, const char *name, const void *data, size_t count);

#endif
