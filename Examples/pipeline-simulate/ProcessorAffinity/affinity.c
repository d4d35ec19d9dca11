// Written in C, because Swift does not import these extensions of the C library.
#define _GNU_SOURCE
#include "ProcessorAffinity.h"

#ifdef __linux__
#include <sched.h>

void stayOnThisProcessor(void) {
    int processor = sched_getcpu();
    if (processor < 0 || processor >= CPU_SETSIZE) return;
    cpu_set_t processors;
    CPU_ZERO(&processors);
    CPU_SET(processor, &processors);
    sched_setaffinity(0, sizeof processors, &processors);
}
#else
void stayOnThisProcessor(void) {}
#endif
