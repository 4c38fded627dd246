#ifndef C_COUNTS_H
#define C_COUNTS_H

#include <stdbool.h>

/// What all threads of the process have done between a start and a stop.
typedef struct {
    /// How often memory was asked for, without libcurl.
    long allocations;
    /// How often libcurl asked for memory.
    long libcurl_allocations;
    /// The bytes that were asked for, without libcurl.
    long bytes;
    long libcurl_bytes;
    /// How often a mutex was locked.
    long locks;
} counts;

/// Whether this system can count.
bool counts_are_known(void);

void counts_start(void);
counts counts_stop(void);

/// Answers requests on a port of the loopback interface, which it prints, until its standard input ends.
int counts_serve(void);

#endif
