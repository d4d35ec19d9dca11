#ifndef PROCESSOR_AFFINITY_H
#define PROCESSOR_AFFINITY_H

/// Keeps the calling thread, and those that it starts, on the processor that it is on; does nothing where the
/// system has no such call, or refuses it.
void stayOnThisProcessor(void);

#endif
