// What a benchmark cannot measure from Swift.
#pragma once
#include <stdint.h>

/// How many blocks of memory the calling thread has allocated so far, or -1 where nobody counts:
/// without glibc, and under a sanitizer, which has an allocator of its own.
int64_t instruments_allocation_count(void);

/// How many bytes of the heap are in use, the allocator's own books included, or -1 where nobody
/// knows.
int64_t instruments_heap_bytes(void);

/// Takes a value in so that no optimiser can tell that nobody needs it.
void instruments_consume(uint64_t value);

/// The same for a pointer, which is another in every run.
void instruments_consume_pointer(const void *pointer);

/// Calls `work`. A tool that counts instructions knows by this name what is to be counted.
void instruments_counted(void (*work)(void *), void *context);
