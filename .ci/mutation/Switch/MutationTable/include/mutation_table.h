#ifndef MUTATION_TABLE_H
#define MUTATION_TABLE_H

#include <stdbool.h>
#include <stdint.h>

/// A byte for each mutation: 0 for none, 1 for the one that is chosen, 2 while it is noted what is reached.
/// Set before anything runs, and read by everyone.
extern uint8_t mutation_states[65536];

bool mutation_is_met(int32_t number);

/// Whether a mutation is the one that this process was asked to have.
static inline bool mutation_is_on(int32_t number) {
    return __builtin_expect(mutation_states[(uint16_t)number] != 0, 0) && mutation_is_met(number);
}

#endif
