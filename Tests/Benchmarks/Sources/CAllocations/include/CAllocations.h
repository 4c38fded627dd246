#ifndef C_ALLOCATIONS_H
#define C_ALLOCATIONS_H

#include <stdbool.h>

/// Whether allocations can be counted on this system.
bool allocations_are_counted(void);

/// Starts counting what all threads allocate, from zero.
void allocations_start(void);

/// Stops counting, and returns how often memory was asked for since the start.
long allocations_stop(void);

/// The bytes that have been allocated and not freed; -1 where that is not known.
long allocations_held(void);

#endif
