#ifndef PROCESSOR_AFFINITY_H
#define PROCESSOR_AFFINITY_H

/// Binds the calling thread, and the threads that it starts, to the current processor. Does nothing
/// if the system does not support or permit it.
void stayOnThisProcessor(void);

#endif
