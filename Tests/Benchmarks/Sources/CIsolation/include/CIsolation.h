#ifndef C_ISOLATION_H
#define C_ISOLATION_H

#include <sys/types.h>

/// Starts a copy of this process that may come to grief: its crashes are silent, and its output goes nowhere.
///
/// Returns 0 in the copy, with `*end` the end of a pipe to write to; in the original the copy's process identifier,
/// with `*end` the end to read from; and a negative number if there can be none.
pid_t isolation_start(int *end);

/// Ends the copy if a chain takes longer than this many milliseconds from now.
void isolation_expect(int milliseconds);

/// Ends the copy now.
void isolation_end(void);

#endif
