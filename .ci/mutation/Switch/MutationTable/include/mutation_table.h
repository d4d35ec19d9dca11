#ifndef MUTATION_TABLE_H
#define MUTATION_TABLE_H

#include <stdbool.h>
#include <stdint.h>

/// One byte for each mutation: 0 if it is off, 1 if it is on, 2 while reached mutations are recorded.
/// Written before `main` runs, and read by all threads.
extern uint8_t mutation_states[65536];

bool mutation_is_met(int32_t number);

/// Returns whether a mutation is on in this process.
static inline bool mutation_is_on(int32_t number) {
    return __builtin_expect(mutation_states[(uint16_t)number] != 0, 0) && mutation_is_met(number);
}

#endif
