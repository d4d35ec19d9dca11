// Measurements that are impossible in Swift.
#pragma once
#include <stdint.h>

/// Returns the number of blocks of memory that the calling thread has allocated so far, or -1 if they
/// are not counted: without glibc, and under a sanitizer, which has its own allocator.
int64_t instruments_allocation_count(void);

/// Returns the number of bytes of the heap that are in use, including the allocator's own data, or -1
/// if it is unknown.
int64_t instruments_heap_bytes(void);

/// Consumes a value, so that no optimiser removes its computation.
void instruments_consume(uint64_t value);

/// Consumes a pointer.
void instruments_consume_pointer(const void *pointer);

/// Calls `work`. A tool for counting instructions finds the work by the name of this function.
void instruments_counted(void (*work)(void *), void *context);

/// Calls `work` through one of four functions, `instruments_step_0` to `instruments_step_3`, by whose names
/// a tool finds the instructions of each step.
void instruments_step(int32_t step, void (*work)(void *), void *context);
