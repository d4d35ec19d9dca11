#include "mutation_table.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

uint8_t mutation_states[65536];

// The reached mutations, in a file that all processes of a test share, so that they survive a crash.
static uint8_t *reached;

__attribute__((constructor)) static void mutation_begin(void) {
    const char *chosen = getenv("MUTATION");
    if (chosen) mutation_states[(uint16_t)atoi(chosen)] = 1;
    const char *path = getenv("MUTATIONS_REACHED");
    if (!path) return;
    int file = open(path, O_RDWR);
    if (file < 0) return;
    void *memory = mmap(NULL, sizeof mutation_states, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    close(file);
    if (memory == MAP_FAILED) return;
    reached = memory;
    memset(mutation_states, 2, sizeof mutation_states);
}

bool mutation_is_met(int32_t number) {
    if (reached) __atomic_store_n(&reached[(uint16_t)number], 1, __ATOMIC_RELAXED);
    return mutation_states[(uint16_t)number] == 1;
}
