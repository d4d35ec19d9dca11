#include "BenchmarkInstruments.h"

#include <stdlib.h>

#if defined(__has_feature)
#if __has_feature(thread_sanitizer) || __has_feature(address_sanitizer)
#define HAS_SANITIZER 1
#endif
#endif

static volatile uint64_t consumed;

void instruments_consume(uint64_t value) {
    consumed = value;
}

void instruments_consume_pointer(const void *pointer) {
    consumed = (uint64_t)(uintptr_t)pointer;
}

__attribute__((noinline)) void instruments_counted(void (*work)(void *), void *context) {
    work(context);
    // Otherwise the call would be a jump, and this function would seem to end before the work.
    __asm__ volatile("");
}

#define STEP(number) \
    __attribute__((noinline)) static void instruments_step_##number(void (*work)(void *), void *context) { \
        work(context); \
        __asm__ volatile(""); \
    }
STEP(0)
STEP(1)
STEP(2)
STEP(3)

void instruments_step(int32_t step, void (*work)(void *), void *context) {
    switch (step) {
    case 0: instruments_step_0(work, context); break;
    case 1: instruments_step_1(work, context); break;
    case 2: instruments_step_2(work, context); break;
    default: instruments_step_3(work, context);
    }
}

#if defined(__GLIBC__) && !defined(HAS_SANITIZER)

#include <errno.h>
#include <malloc.h>

// The definitions below replace the library's own in the whole process. They count, and call the library.
// The library's own `free` frees the blocks.
void *__libc_malloc(size_t size);
void *__libc_calloc(size_t count, size_t size);
void *__libc_realloc(void *old, size_t size);
void *__libc_memalign(size_t alignment, size_t size);

// A counter per thread needs no atomic operation. Initial-exec, because any other model may allocate.
static _Thread_local int64_t allocations __attribute__((tls_model("initial-exec")));

void *malloc(size_t size) {
    allocations += 1;
    return __libc_malloc(size);
}

void *calloc(size_t count, size_t size) {
    allocations += 1;
    return __libc_calloc(count, size);
}

void *realloc(void *old, size_t size) {
    allocations += 1;
    return __libc_realloc(old, size);
}

void *aligned_alloc(size_t alignment, size_t size) {
    allocations += 1;
    return __libc_memalign(alignment, size);
}

int posix_memalign(void **result, size_t alignment, size_t size) {
    if (alignment % sizeof(void *) != 0 || alignment == 0 || (alignment & (alignment - 1)) != 0) {
        return EINVAL;
    }
    allocations += 1;
    void *block = __libc_memalign(alignment, size);
    if (block == NULL) return ENOMEM;
    *result = block;
    return 0;
}

int64_t instruments_allocation_count(void) { return allocations; }

int64_t instruments_heap_bytes(void) {
    struct mallinfo2 info = mallinfo2();
    return (int64_t)(info.uordblks + info.hblkhd);
}

#else

int64_t instruments_allocation_count(void) { return -1; }

int64_t instruments_heap_bytes(void) { return -1; }

#endif
